import { expect, it } from 'vitest';
import { usualCaller } from '../../../src/cli/help.ts';
import { createProgram, withSubcommands } from '../../../src/cli/program.ts';
import { allCases } from '../../integration/cli/flags/all-cases.ts';
import { flagOf } from '../../integration/cli/flags/flag-case.ts';

/** The commands with their flags, and the values that flags have a choice of, as the help lists them. */
function offered(): readonly string[] {
  const [program, ...commands] = withSubcommands(createProgram(usualCaller, () => undefined));
  if (!program) throw new Error('there is no program');
  const named = [program, ...commands].flatMap((command) => {
    const { parent } = command;
    const name =
      command === program ? '' : parent === program ? command.name() : `${parent?.name()} ${command.name()}`;
    const options = command.createHelp().visibleOptions(command);
    const flags = options.flatMap(({ long, argChoices = [''] }) =>
      argChoices.map((value) => `${name} ${long} ${value}`.trim()),
    );
    return name.startsWith('__') ? [] : [name, ...flags];
  });
  return named;
}

it('every command and flag of the help, with every value to choose from, is run through the binary', () => {
  const run = new Set(
    allCases.flatMap((each) => [
      each.command,
      ...each.cases.flatMap((one) => {
        const value = one.words.split(' ')[1] ?? '';
        return [`${each.command} ${flagOf(one)}`.trim(), `${each.command} ${flagOf(one)} ${value}`.trim()];
      }),
    ]),
  );
  expect(offered().filter((one) => !run.has(one))).toEqual([]);
});

it('every flag that is run changes something that can be seen, or says why it does not', () => {
  const vague = allCases.flatMap(({ cases }) =>
    cases.filter(({ shows, hides, same }) => [shows, hides, same].filter(Boolean).length !== 1),
  );
  expect(vague).toEqual([]);
});
