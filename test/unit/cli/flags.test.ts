import { expect, it } from 'vitest';
import { flagGroups } from '../../../src/cli/flags.ts';
import { describeFlag, type Flag, isOn } from '../../../src/policy/flag.ts';
import { allCases } from '../../tools/flags/cases.ts';

const rows = Object.values(flagGroups).flatMap((group) => Object.values<Flag>(group));

const names = new Set(rows.flatMap(({ on = ['sweep'] }) => on));

it.each([...names])(
  'every flag of %s, with every value to choose from, is run through the binary',
  (name) => {
    const { cases } = allCases.find(({ command }) => (command || 'sweep') === name) ?? { cases: [] };
    const run = cases.map(({ words }) => words);
    const missing = rows
      .filter((row) => isOn(row, name))
      .flatMap((row) => {
        const [long = ''] = /--[a-z-]+/.exec(row.flags) ?? [];
        const { choices } = describeFlag(row, name);
        return choices.length > 0 ? choices.map((choice) => `${long} ${choice}`) : long;
      })
      .filter((flag) => !run.some((words) => words === flag || words.startsWith(`${flag} `)));
    expect(missing).toEqual([]);
  },
);

it('every flag that is run changes something that can be seen, or says why it does not', () => {
  const vague = allCases.flatMap(({ cases }) =>
    cases.filter(({ shows, hides, same }) => [shows, hides, same].filter(Boolean).length !== 1),
  );
  expect(vague).toEqual([]);
});
