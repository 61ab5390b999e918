import { reasonGroups } from '../src/report/texts/reason-pages.ts';
import { fillMark } from './marks.ts';

/** docs/reasons.md with a part for each reason. */
export function withReasons(page: string): string {
  const groups = Object.entries(reasonGroups).map(([title, reasons]) => {
    const parts = Object.entries<{ title: string; text: string; cure?: string }>(reasons).map(
      ([name, { title, text, cure }]) =>
        [
          `### ${name}`,
          `**${asText(title)}.** ${asText(text)}`,
          ...(cure === undefined ? [] : [`*What to do:* ${asText(cure)}`]),
        ].join('\n\n'),
    );
    return [`## ${title}`, ...parts].join('\n\n');
  });
  return fillMark(page, 'reasons', `\n${groups.join('\n\n')}\n`);
}

/** Text with its placeholders, which Markdown would take for tags, outside of code. */
function asText(text: string): string {
  // A name such as excludeNamespaces or sidecar-sweeper.dev/min-age stays as it is written.
  const isName = /^\S*[A-Z./-]\S*/.test(text);
  return (isName ? text : text.charAt(0).toUpperCase() + text.slice(1))
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<*]/g, '\\$&')))
    .join('');
}
