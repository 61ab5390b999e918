import { flagGroups } from '../src/cli/flags.ts';
import { describeFlag, type Flag, isOn } from '../src/policy/flag.ts';
import { policyFile } from '../src/policy/policy-file.ts';
import { fillMark } from './marks.ts';

/** docs/reference/flags.md with a table for each group of flags. */
export function withFlags(page: string): string {
  const tables = Object.entries(flagGroups).map(([group, rows]) => {
    const ofSweep = Object.values<Flag>(rows).filter((row) => isOn(row, 'sweep'));
    return [
      `### ${group}`,
      '',
      '| flag | meaning | default |',
      '|---|---|---|',
      ...ofSweep.map(flagRow),
    ].join('\n');
  });
  return fillMark(page, 'flags', `\n${tables.join('\n\n')}\n`);
}

function flagRow(flag: Flag): string {
  const { means, byDefault = '', choices } = describeFlag(flag, 'sweep');
  const meaning = [
    asCode(means),
    ...(choices.length > 0 ? [`: ${choices.map(code).join(', ')}`] : []),
    ...(flag.docs === undefined ? [] : [` (${flag.docs})`]),
  ].join('');
  return `| ${flag.flags.split(', ').map(code).join(', ')} | ${meaning} | ${asCode(byDefault)} |`;
}

/** docs/policy.md with a table of the fields. */
export function withPolicyFields(page: string): string {
  const flags = Object.entries(Object.assign({}, ...Object.values(flagGroups)) as Record<string, Flag>);
  const rows = Object.entries(policyFile.shape).flatMap(([name, { description }]) => {
    if (description === undefined) return [];
    const own = flags.filter(([key, { field }]) => field === name || (field === true && key === name));
    const names = own.flatMap(([, { flags }]) => /--[a-z-]+/.exec(flags) ?? []);
    return `| \`${name}\` | ${names.map(code).join(', ')} | ${asCode(description)} |`;
  });
  return fillMark(page, 'fields', ['\n| field | flag | meaning |', '|---|---|---|', ...rows, ''].join('\n'));
}

/** Text as Markdown, with the names of flags as code. */
function asCode(text: string): string {
  return text.replaceAll('*', '\\*').replace(/--[a-z][a-z-]+/g, '`$&`');
}

function code(text: string): string {
  return `\`${text}\``;
}
