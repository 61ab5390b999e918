import { Command, CommanderError } from 'commander';
import { exitCodeMeanings, exitCodes } from '../report/exit-code.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { defineAdvise } from './commands/advise.ts';
import { defineCheckAccess } from './commands/check-access.ts';
import { defineExplain } from './commands/explain.ts';
import { defineProfiles } from './commands/profiles.ts';
import { defineReport } from './commands/report.ts';
import { defineScan } from './commands/scan.ts';
import { defineSweep } from './commands/sweep.ts';
import { defineValidate } from './commands/validate.ts';
import type { Run } from './surroundings.ts';

/** What argv asks for. `Help` is text for stdout, `Wrong` one line for stderr. */
export type Parsed =
  | { readonly kind: 'Run'; readonly run: Run }
  | { readonly kind: 'Help'; readonly text: string }
  | { readonly kind: 'Wrong'; readonly message: string };

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
];

export function parseArguments(argv: readonly string[]): Parsed {
  let printed = '';
  let chosen: Run | undefined;
  const program = createProgram((run) => {
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
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'Wrong', message: error.message };
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'Help', text: printed };
    return { kind: 'Wrong', message: whatIsWrong(error, program) };
  }
  return chosen ? { kind: 'Run', run: chosen } : { kind: 'Help', text: program.helpInformation() };
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function createProgram(choose: (run: Run) => void): Command {
  const program = new Command('sidecar-sweeper')
    .description('Ends the sidecars that keep finished pods running, and proves that they ended.')
    .version(version, '-V, --version')
    .allowExcessArguments(false)
    .helpCommand('help [command]', 'show help for a command')
    // A flag after the name of a command belongs to that command.
    .enablePositionalOptions()
    .addHelpText('after', examples);
  for (const define of commands) define(program, choose);
  return program;
}

function whatIsWrong(error: CommanderError, program: Command): string {
  const [word] = program.args;
  if (
    error.code === 'commander.excessArguments' &&
    !program.commands.some((command) => command.name() === word)
  ) {
    return `unknown command '${word}'; to sweep a namespace, use -n`;
  }
  if (error.code === 'commander.help') {
    return word === 'help' ? `unknown command '${program.args[1]}'` : `'${word}' needs a subcommand`;
  }
  // Commander puts its suggestion on a separate line.
  return error.message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ')
    .trim();
}

const examples = `
Examples:
  sidecar-sweeper --dry-run                     show what a sweep would do
  sidecar-sweeper -n jobs -n etl --min-age 30m  only pods stuck for 30 minutes
  sidecar-sweeper -A -o json | jq .totals       sweep, and print the totals

Exit codes:
${describeExitCodes()}`;

function describeExitCodes(): string {
  const lines = Object.entries(exitCodeMeanings).map(([name, meaning]) => {
    const code = exitCodes[name as keyof typeof exitCodes];
    return `  ${code}  ${meaning}`;
  });
  return lines.join('\n');
}
