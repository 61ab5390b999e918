import { markdownList, markdownParts, markdownRows } from '../markdown.ts';
import { describeWarning } from '../texts/warnings.ts';
import { type AccessReport, accessAnswer, accessHead, accessRow, placeOf, rulesYaml } from './access.ts';

/** The report for a page or an issue. */
export function accessMarkdown({ permissions, rulesToAdd, warnings }: AccessReport): string {
  const missing = rulesToAdd.flatMap((rules) => [placeOf(rules), `\`\`\`yaml\n${rulesYaml(rules)}\`\`\``]);
  return markdownParts(
    accessAnswer({ permissions }),
    markdownRows(accessHead, permissions.map(accessRow)),
    markdownList(warnings.map((each) => `warning: ${describeWarning(each)}`)),
    ...missing,
  );
}
