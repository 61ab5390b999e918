import { basename } from 'node:path';
import { Argument, Command, CommanderError, Option } from 'commander';
import type { CommandName } from '../policy/flag.ts';
import { exitCodes } from '../report/exit-code.ts';
import { schemaNames } from '../report/names.ts';
import { shellWord } from '../util/text.ts';
import { UsageError } from '../util/usage-error.ts';
import { version } from '../util/version.ts';
import { addFlags } from './arguments.ts';
import type { FlagsOf } from './flags.ts';
import {
  describeCommand,
  describeUnknownCommand,
  describeUsageError,
  type Example,
  exitCodeHelp,
  fitHelp,
  optionNamed,
  usualCaller,
} from './help.ts';
import { complain, type Io, WriteError, write } from './io.ts';

interface Definition<C extends CommandName> {
  readonly summary: string;
  readonly examples: readonly Example[];
  readonly argument?: { readonly name: string; readonly means: string; readonly choices?: readonly string[] };
  /** Resolves to the exit code. A command is loaded when it runs: help does not need it. */
  run(words: readonly string[], flags: FlagsOf<C>, io: Io): Promise<number>;
}

const podsArgument = {
  name: '[pods...]',
  means: '<namespace>/<pod>, or <pod> or pod/<pod> in the namespace that -n or the context names',
};

const reports = {
  name: '[files...]',
  means: 'reports, or logs that contain reports (default: -, which is stdin)',
};

/** In the order of help. */
const commands: { readonly [C in CommandName]: Definition<C> } = {
  sweep: {
    summary: 'end the sidecars that keep finished pods running, and prove that they ended',
    examples: [
      ['sweep --dry-run', 'show what a sweep would do'],
      ['sweep -n billing -n etl --min-age 30m', 'sweep only pods that have been stuck for 30 minutes'],
      ['sweep billing/report-x2k9p', 'sweep one pod, by its namespace and name'],
      ['sweep -A -o json | jq .totals', 'sweep, and print the totals'],
    ],
    argument: podsArgument,
    run: async (...given) => (await import('./commands/sweep.ts')).runSweep(...given),
  },
  scan: {
    summary: 'list the pods that are stuck; needs only get and list, and changes nothing',
    examples: [
      ['scan -A', 'list the stuck pods of all namespaces'],
      ['scan -n billing -o wide', 'list those of one namespace, with every column'],
      ['scan -A -o name | xargs {program} explain', 'show what a sweep would do about each'],
    ],
    run: async (_, flags, io) => (await import('./commands/scan.ts')).runScan(flags, io),
  },
  explain: {
    summary: 'show why pods are swept or left alone, and what a sweep would do; changes nothing',
    examples: [
      ['explain billing/report-x2k9p', 'explain one pod, by its namespace and name'],
      ['explain -n billing report-x2k9p mail-r7zrj', 'explain several pods of a namespace'],
      ['explain -n billing -l app=report -v', 'explain all pods with a label, with every check'],
      ['explain --reason Blocked', 'say what a reason means, and what to do about it'],
    ],
    argument: podsArgument,
    run: async (...given) => (await import('./commands/explain.ts')).runExplain(...given),
  },
  advise: {
    summary: 'say why the pods of each owner got stuck, and how to cure that for good; changes nothing',
    examples: [
      ['advise -A', 'advise on all namespaces'],
      ['advise -n billing -o markdown', 'advise on one namespace, as Markdown for an issue'],
      ['advise -A -o admission-policy', 'print an admission policy that makes sidecars native in new pods'],
    ],
    run: async (_, flags, io) => (await import('./commands/advise.ts')).runAdvise(flags, io),
  },
  profiles: {
    summary: 'print the known sidecars, and how each is ended',
    examples: [
      ['profiles istio-proxy', 'print one of them'],
      ['profiles -o name', 'print the names of all'],
    ],
    argument: { name: '[profiles...]', means: 'names of profiles, or of containers (default: all)' },
    run: async (...given) => (await import('./commands/profiles.ts')).runProfiles(...given),
  },
  validate: {
    summary: 'check a policy file, and print every problem with its line',
    examples: [['validate policy.yaml', 'check this file']],
    argument: { name: '<file>', means: 'the policy; - is stdin' },
    run: async ([file = '-'], _, io) => (await import('./policy.ts')).runValidate(file, io),
  },
  'check-access': {
    summary: 'check whether the account has every permission that a sweep with these flags needs',
    examples: [
      ['check-access -A', 'check the permissions for all namespaces'],
      ['check-access -n billing --last-resort evict', 'check those for a sweep that may evict pods'],
    ],
    run: async (_, flags, io) => (await import('./commands/check-access.ts')).runCheckAccess(flags, io),
  },
  report: {
    summary: 'sum up the reports of many sweeps: waste, its trend, what keeps coming back',
    examples: [
      ['report prod/*.log staging/*.log', 'sum up the sweeps of two clusters'],
      ['report -o html sweep.log > report.html', 'write a page for the browser'],
    ],
    argument: reports,
    run: async (...given) => (await import('./commands/report.ts')).runReport(...given),
  },
  // To read a file named merge, write ./merge.
  'report merge': {
    summary:
      'print the report of one sweep, from its log or those of its shards; the exit code is that of the whole sweep',
    examples: [
      ['report merge sweep.log', 'print the report of the sweep that wrote this log'],
      ['report merge shard-0.log shard-1.log', 'merge the reports of the shards of one sweep'],
    ],
    argument: reports,
    run: async (...given) => (await import('./commands/report.ts')).runMerge(...given),
  },
  schema: {
    summary: 'print the JSON Schema of a document that this program prints or reads, or list all schemas',
    examples: [
      ['schema', 'list the schemas'],
      ['schema sweep-report > sweep-report.schema.json', "save the schema of a sweep's report"],
    ],
    argument: {
      name: '[name]',
      means: 'the name of a schema (default: list all names)',
      choices: schemaNames,
    },
    async run([name], _, { stdout }) {
      const schema = schemaNames.find((each) => each === name);
      const { jsonSchemas } = await import('../report/json-schema.ts');
      const text = schema ? JSON.stringify(jsonSchemas()[schema], undefined, 2) : schemaNames.join('\n');
      await write(stdout, `${text}\n`);
      return exitCodes.resolved;
    },
  },
  completion: {
    summary: 'print a shell script that completes commands, flags and names',
    examples: [
      ['completion bash >> ~/.bashrc', 'set up bash'],
      ['completion zsh >> ~/.zshrc', 'set up zsh'],
      ['completion fish > ~/.config/fish/completions/sidecar-sweeper.fish', 'set up fish'],
    ],
    argument: { name: '<shell>', means: 'the shell', choices: ['bash', 'zsh', 'fish'] },
    run: async ([shell = ''], _, io) => (await import('./commands/completion.ts')).printScript(shell, io),
  },
};

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
