import type { CommandName } from '../../policy/flag.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { schemaNames } from '../../report/names.ts';
import type { FlagsOf } from '../flags.ts';
import type { Example } from '../help.ts';
import { type Io, write } from '../io.ts';

export interface Definition<C extends CommandName> {
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
export const commands: { readonly [C in CommandName]: Definition<C> } = {
  sweep: {
    summary: 'end the sidecars that keep finished pods running, and prove that they ended',
    examples: [
      ['sweep --dry-run', 'show what a sweep would do'],
      ['sweep -n billing -n etl --min-age 30m', 'sweep only pods that have been stuck for 30 minutes'],
      ['sweep billing/report-x2k9p', 'sweep one pod, by its namespace and name'],
      ['sweep -A -o json | jq .totals', 'sweep, and print the totals'],
    ],
    argument: podsArgument,
    run: async (...given) => (await import('./sweep.ts')).runSweep(...given),
  },
  scan: {
    summary: 'list the pods that are stuck; needs only get and list, and changes nothing',
    examples: [
      ['scan -A', 'list the stuck pods of all namespaces'],
      ['scan -n billing -o wide', 'list those of one namespace, with every column'],
      ['scan -A -o name | xargs {program} explain', 'show what a sweep would do about each'],
    ],
    run: async (_, flags, io) => (await import('./scan.ts')).runScan(flags, io),
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
    run: async (...given) => (await import('./explain.ts')).runExplain(...given),
  },
  advise: {
    summary: 'say why the pods of each owner got stuck, and how to cure that for good; changes nothing',
    examples: [
      ['advise -A', 'advise on all namespaces'],
      ['advise -n billing -o markdown', 'advise on one namespace, as Markdown for an issue'],
      ['advise -A -o admission-policy', 'print an admission policy that makes sidecars native in new pods'],
    ],
    run: async (_, flags, io) => (await import('./advise.ts')).runAdvise(flags, io),
  },
  profiles: {
    summary: 'print the known sidecars, and how each is ended',
    examples: [
      ['profiles istio-proxy', 'print one of them'],
      ['profiles -o name', 'print the names of all'],
    ],
    argument: { name: '[profiles...]', means: 'names of profiles, or of containers (default: all)' },
    run: async (...given) => (await import('./profiles.ts')).runProfiles(...given),
  },
  validate: {
    summary: 'check a policy file, and print every problem with its line',
    examples: [['validate policy.yaml', 'check this file']],
    argument: { name: '<file>', means: 'the policy; - is stdin' },
    run: async ([file = '-'], _, io) => (await import('../policy.ts')).runValidate(file, io),
  },
  'check-access': {
    summary: 'check whether the account has every permission that a sweep with these flags needs',
    examples: [
      ['check-access -A', 'check the permissions for all namespaces'],
      ['check-access -n billing --last-resort evict', 'check those for a sweep that may evict pods'],
    ],
    run: async (_, flags, io) => (await import('./check-access.ts')).runCheckAccess(flags, io),
  },
  report: {
    summary: 'sum up the reports of many sweeps: waste, its trend, what keeps coming back',
    examples: [
      ['report prod/*.log staging/*.log', 'sum up the sweeps of two clusters'],
      ['report -o html sweep.log > report.html', 'write a page for the browser'],
    ],
    argument: reports,
    run: async (...given) => (await import('./report.ts')).runReport(...given),
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
    run: async (...given) => (await import('./report.ts')).runMerge(...given),
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
      const { jsonSchemas } = await import('../../report/json-schema.ts');
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
    run: async ([shell = ''], _, io) => (await import('./completion.ts')).printScript(shell, io),
  },
};
