import { basename } from 'node:path';
import { Argument, Command, CommanderError, Option } from 'commander';
import type { CommandName } from '../policy/flag.ts';
import { exitCodes } from '../report/exit-code.ts';
import { shellWord } from '../util/text.ts';
import { UsageError } from '../util/usage-error.ts';
import { version } from '../util/version.ts';
import { addFlags } from './arguments.ts';
import { commands, type Definition } from './commands/index.ts';
import type { FlagsOf } from './flags.ts';
import {
  describeCommand,
  describeUnknownCommand,
  describeUsageError,
  exitCodeHelp,
  fitHelp,
  optionNamed,
  usualCaller,
} from './help.ts';
import { complain, type Io, WriteError, write } from './io.ts';

/** The hidden command that completion scripts run. It has the same name as in cobra. */
const complete = '__complete';

/** kubectl runs a plugin as `kubectl-<name>`, and asks `kubectl_complete-<name>` for completions. */
export function calledAs(file: string, argv: readonly string[]) {
  const [, kind, plugin] = /^(kubectl|kubectl_complete)-(.+?)(?:\.[a-z]+)?$/.exec(basename(file)) ?? [];
  if (plugin === undefined) return { program: usualCaller.program, argv };
  // kubectl reads an underscore as a dash. https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/
  const program = `kubectl ${plugin.replaceAll('_', '-')}`;
  return { program, argv: kind === 'kubectl' ? argv : [complete, ...argv] };
}

export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { program, stdout } = io;
  const parsed = parseArguments(argv, { program, width: stdout.columns || usualCaller.width });
  try {
    switch (parsed.kind) {
      case 'Help':
        await write(stdout, parsed.text);
        return exitCodes.resolved;
      case 'Wrong':
        throw new UsageError(`${parsed.message}; see ${parsed.help}`);
      case 'Run':
        return await parsed.run(io);
    }
  } catch (error) {
    if (error instanceof UsageError) {
      await complain(io, error.message);
      return exitCodes.usage;
    }
    if (!(error instanceof WriteError)) throw error;
    // Partial output must not be mistaken for the whole.
    await complain(io, `could not write the output: ${error.message}`);
    return exitCodes.internal;
  }
}

type Run = (io: Io) => Promise<number>;

/** The meaning of argv. `Help` is text for stdout, `Wrong` one line for stderr. */
export type Parsed =
  | { readonly kind: 'Run'; readonly run: Run }
  | { readonly kind: 'Help'; readonly text: string }
  | { readonly kind: 'Wrong'; readonly message: string; readonly help: string };

export function parseArguments(argv: readonly string[], caller = usualCaller): Parsed {
  if (argv.every((word) => word === '--')) return { kind: 'Help', text: shortHelp(caller.program) };
  let chosen: Run | undefined;
  let printed = '';
  const program = fitHelp(new Command(caller.program), caller).configureOutput({
    writeOut: (text) => {
      printed += text;
    },
    writeErr: () => undefined,
  });
  addCommands(program, (run) => {
    chosen = run;
  });
  try {
    program.parse(commandFirst(argv, program), { from: 'user' });
  } catch (error) {
    const help = helpFor(program, argv);
    if (error instanceof UsageError) return { kind: 'Wrong', message: error.message, help };
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'Help', text: printed };
    return { kind: 'Wrong', message: describeUsageError(error, program), help };
  }
  return chosen ? { kind: 'Run', run: chosen } : { kind: 'Help', text: program.helpInformation() };
}

function shortHelp(program: string): string {
  return `Ends the sidecars that keep finished Kubernetes pods running.

  ${program} scan -A          list the stuck pods of all namespaces; changes nothing
  ${program} sweep --dry-run  show what a sweep would do in the namespace of the context
  ${program} sweep            sweep there, after asking

${program} --help lists all commands.
`;
}

/** As with kubectl, flags may come before the command. Throws UsageError for flags of sweep without a command. */
function commandFirst(argv: readonly string[], command: Command): readonly string[] {
  let index = 0;
  for (let word = argv[0]; word !== undefined && /^-[^-]|^--./.test(word); word = argv[index]) {
    index += optionNamed(command, word)?.required ? 2 : 1;
  }
  const name = argv[index];
  const others = argv.filter((_, place) => place !== index);
  const sub = command.commands.find((each) => each.name() === name);
  if (sub && name !== undefined) return [name, ...commandFirst(others, sub)];
  if (command.parent) return argv;
  if (name !== undefined) return [name, ...others];
  const [flag = ''] = argv[0]?.split('=', 1) ?? [];
  const sweep = command.commands.find((each) => each.name() === 'sweep');
  if (!sweep || !optionNamed(sweep, flag)) return argv;
  const meant = [command.name(), 'sweep', ...argv.map(shellWord)].join(' ');
  throw new UsageError(`missing command (did you mean ${meant}?)`);
}

function helpFor(command: Command, [word, ...words]: readonly string[]): string {
  const sub = command.commands.find((each) => each.name() === word);
  return sub ? `${command.name()} ${helpFor(sub, words)}` : `${command.name()} --help`;
}

function addCommands(program: Command, choose: (run: Run) => void): void {
  program
    .usage('<command> [options]')
    .exitOverride()
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup('Other:'))
    // A flag after the name of a command belongs to that command.
    .enablePositionalOptions();
  describeCommand(program, 'end the sidecars that keep finished Kubernetes pods running', [
    ['scan', 'list the stuck pods; changes nothing'],
    ['sweep --dry-run', 'show what a sweep would do'],
    ['sweep', 'sweep, after asking'],
  ]).addHelpText('after', `\nEach command has its own help, such as ${program.name()} sweep --help.`);
  for (const name of Object.keys(commands) as readonly CommandName[]) addCommand(program, name, choose);
  describeCommand(program.helpCommand(false).command('help'), 'show help for a command', [
    ['help sweep', 'show help for sweep'],
    ['help report merge', 'show help for a subcommand'],
  ])
    .argument('[command...]', 'the command')
    .action((words: readonly string[]) => words.reduce(subcommandOf, program).help());
  program
    .command(complete, { hidden: true })
    .argument('[words...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action((words: readonly string[]) =>
      choose(async (io) => (await import('./commands/completion.ts')).printCompletions(words, program, io)),
    );
  describeCommand(program.command('version'), 'print the version', [['version', 'print it']]).action(() =>
    choose(({ stdout }) => write(stdout, `${version}\n`).then(() => exitCodes.resolved)),
  );
  program.optionsGroup('Other:').version(version, '-V, --version', 'print the version');
}

function addCommand<C extends CommandName>(program: Command, name: C, choose: (run: Run) => void): void {
  const { summary, examples, argument, run }: Definition<C> = commands[name];
  const words = name.split(' ');
  const command = words
    .slice(0, -1)
    .reduce(subcommandOf, program)
    .command(words.at(-1) ?? name);
  describeCommand(
    command,
    summary,
    examples.map(([line, does]) => [line.replace('{program}', program.name()), does]),
  );
  if (argument) {
    const added = new Argument(argument.name, argument.means);
    command.addArgument(argument.choices ? added.choices(argument.choices) : added);
  }
  addFlags(command, name);
  if (name === 'sweep') command.addHelpText('after', exitCodeHelp);
  command.action(() => choose((io) => run(command.processedArgs.flat(), command.opts<FlagsOf<C>>(), io)));
}

function subcommandOf(command: Command, word: string): Command {
  const found = command.commands.find((each) => each.name() === word);
  if (found) return found;
  throw new UsageError(describeUnknownCommand(word, command));
}
