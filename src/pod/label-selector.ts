/** Two of them, for messages. */
export const exampleSelector = "app=report,tier!=web or 'app in (report,mail)'";

/** What Go calls white space, and what cannot be part of a word. */
const space = '[ \\t\\r\\n]*';
const word = '[^ \\t\\r\\n=!(),<>]+';

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
const name = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const domain = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** What one label must be, up to the next one. */
const requirement = new RegExp(
  `${space}(?:!${space}(?<absent>${word})|(?<key>${word})(?:${[
    `${space}(?<operator>==?|!=|[<>])${space}(?<value>${word})?`,
    `[ \\t\\r\\n]+(?:not)?in${space}\\((?<values>[^()=!<>]*)\\)`,
    '',
  ].join('|')}))${space}(?<end>,|$)`,
  'y',
);

/**
 * Whether a server can parse a label selector: one that cannot be is a slip of the pen, and not a cluster that cannot be read.
 * What is right is never refused. k8s.io/apimachinery/pkg/labels/selector.go
 */
export function isLabelSelector(selector: string): boolean {
  if (selector.trim() === '') return true;
  requirement.lastIndex = 0;
  for (;;) {
    const groups = requirement.exec(selector)?.groups;
    if (!groups || !isRequirement(groups)) return false;
    if (groups['end'] === '') return true;
  }
}

function isRequirement({ absent, key, operator, value, values }: Readonly<Record<string, string>>): boolean {
  if (!isKey(key ?? absent ?? '')) return false;
  if (operator === '<' || operator === '>') return /^\d+$/.test(value ?? '');
  return (values?.split(',') ?? [value ?? '']).every((each) => isValue(each.trim()));
}

function isKey(key: string): boolean {
  const [last = '', prefix, ...more] = key.split('/').reverse();
  return name.test(last) && (prefix === undefined || domain.test(prefix)) && more.length === 0;
}

function isValue(value: string): boolean {
  return value === '' || name.test(value);
}
