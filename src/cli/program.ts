import { Command, CommanderError, Option } from 'commander';
import { exitCodeMeanings, exitCodes } from '../report/exit-code.ts';
import { UsageError } from '../util/usage-error.ts';
import { version } from '../util/version.ts';
import { defineAdvise } from './commands/advise.ts';
import { defineCheckAccess } from './commands/check-access.ts';
import { defineCompletion } from './commands/completion.ts';
import { defineExplain } from './commands/explain.ts';
import { defineHelp } from './commands/help.ts';
import { defineProfiles } from './commands/profiles.ts';
import { defineReport } from './commands/report.ts';
import { defineScan } from './commands/scan.ts';
import { defineSweep } from './commands/sweep.ts';
import { defineValidate } from './commands/validate.ts';
import { type Caller, fitHelp, groups, usualCaller } from './help.ts';
import type { Run } from './surroundings.ts';
import { refuseFlagsBefore, whatIsWrong } from './what-is-wrong.ts';

/** What argv asks for. `Help` is text for stdout, `Wrong` one line for stderr. */
export type Parsed =
  | { readonly kind: 'Run'; readonly run: Run }
  | { readonly kind: 'Help'; readonly text: string }
  | { readonly kind: 'Wrong'; readonly message: string; readonly help: string };

/**
 * Adds a command to the program; once the command is selected, calls `choose` with what to run. The work is
 * loaded only then: help, versions and usage errors need none of it.
 */
type DefineCommand = (program: Command, choose: (run: Run) => void) => void;

/** The sweep is the default action; every other command has a name. */
const commands: readonly DefineCommand[] = [
  defineSweep,
  defineScan,
  defineExplain,
  defineAdvise,
  defineProfiles,
  defineValidate,
  defineCheckAccess,
  defineReport,
  defineCompletion,
  defineHelp,
];

export function parseArguments(argv: readonly string[], caller = usualCaller): Parsed {
  let printed = '';
  let chosen: Run | undefined;
  const program = createProgram(caller, (run) => {
    chosen = run;
  });
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      writeErr: () => undefined,
    });
  }
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    const help = helpFor(program, argv);
    if (error instanceof UsageError) return { kind: 'Wrong', message: error.message, help };
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'Help', text: printed };
    return { kind: 'Wrong', message: whatIsWrong(error, program), help };
  }
  return chosen ? { kind: 'Run', run: chosen } : { kind: 'Help', text: program.helpInformation() };
}

/** The command line that explains the flags of the command that was meant. */
function helpFor(command: Command, [word, ...words]: readonly string[]): string {
  const sub = command.commands.find((each) => each.name() === word);
  return sub ? `${command.name()} ${helpFor(sub, words)}` : `${command.name()} --help`;
}

export function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

export function createProgram(caller: Caller, choose: (run: Run) => void): Command {
  const program = fitHelp(new Command(caller.program), caller)
    .allowExcessArguments(false)
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup(groups.other))
    // A flag after the name of a command belongs to that command.
    .enablePositionalOptions()
    .addHelpText('after', exitCodeHelp);
  for (const define of commands) define(program, choose);
  for (const command of withSubcommands(program)) command.hook('preSubcommand', refuseFlagsBefore);
  return program.optionsGroup(groups.other).version(version, '-V, --version', 'print the version');
}

const exitCodeHelp = `
Exit codes:
${Object.entries(exitCodeMeanings)
  .map(([name, meaning]) => `  ${exitCodes[name as keyof typeof exitCodes]}  ${meaning}`)
  .join('\n')}`;
