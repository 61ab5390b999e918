import { badRequest } from '../status.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

/** Parses a query's label selector: equality-based (`a=b`, `a!=b`) or set-based (`a in (b,c)`, `a`, `!a`). */
export function parseLabelSelector(selector: string): Requirement {
  const requirements = splitOutsideParentheses(selector).map((part) => parseRequirement(part, selector));
  return (labels) => requirements.every((holds) => holds(labels));
}

/** Evaluates an object's label selector: `matchLabels` and `matchExpressions`. */
export function matchesLabelSelector(selector: unknown, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = (selector ?? {}) as {
    matchLabels?: Labels;
    matchExpressions?: { key: string; operator: string; values?: string[] }[];
  };
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isIn = value !== undefined && values.includes(value);
      return operator === 'NotIn' ? !isIn : isIn;
    })
  );
}

function splitOutsideParentheses(selector: string): string[] {
  return (selector.match(/(?:\([^)]*\)|[^,(])+/g) ?? []).map((part) => part.trim()).filter(Boolean);
}

const key = '([A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?)';
const value = '((?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?)';
const forms: readonly (readonly [RegExp, (name: string, operand: string) => Requirement])[] = [
  [new RegExp(`^${key}\\s*!=\\s*${value}$`), (name, operand) => (labels) => labels[name] !== operand],
  [new RegExp(`^${key}\\s*==?\\s*${value}$`), (name, operand) => (labels) => labels[name] === operand],
  [
    new RegExp(`^${key}\\s+in\\s*\\(([^)]*)\\)$`),
    (name, operand) => {
      const values = splitValues(operand);
      return (labels) => labels[name] !== undefined && values.has(labels[name]);
    },
  ],
  [
    new RegExp(`^${key}\\s+notin\\s*\\(([^)]*)\\)$`),
    (name, operand) => {
      const values = splitValues(operand);
      return (labels) => labels[name] === undefined || !values.has(labels[name]);
    },
  ],
  [
    new RegExp(`^${key}\\s*>\\s*(-?\\d+)$`),
    (name, operand) => (labels) => Number(labels[name]) > Number(operand),
  ],
  [
    new RegExp(`^${key}\\s*<\\s*(-?\\d+)$`),
    (name, operand) => (labels) => Number(labels[name]) < Number(operand),
  ],
  [new RegExp(`^!\\s*${key}$`), (name) => (labels) => labels[name] === undefined],
  [new RegExp(`^${key}$`), (name) => (labels) => labels[name] !== undefined],
];

function parseRequirement(part: string, selector: string): Requirement {
  for (const [form, build] of forms) {
    const [matched, name = '', operand = ''] = form.exec(part) ?? [];
    if (matched !== undefined) return build(name, operand);
  }
  throw badRequest(`unable to parse requirement: found '${part}', in the selector '${selector}'`);
}

function splitValues(operand: string): ReadonlySet<string> {
  return new Set(operand.split(',').map((each) => each.trim()));
}
