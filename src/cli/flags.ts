import { type CommandName, defaultsOf, type Flags, type Given } from '../policy/flag.ts';
import { endingFlags, limitFlags, onCluster, scopeFlags } from '../policy/flags.ts';
import { usualConcurrency } from '../util/concurrency.ts';

export const sweepFormats = ['table', 'wide', 'json', 'yaml', 'ndjson', 'markdown', 'name'] as const;
const plainFormats = ['table', 'json', 'yaml', 'ndjson', 'markdown'] as const;
const sweepOutput = { choices: sweepFormats, otherwise: 'table on a terminal, ndjson elsewhere' } as const;

const onPrint = [...onCluster, 'profiles', 'report', 'report merge'] as const;

const safetyFlags = {
  ...limitFlags,
  dryRun: { flags: '--dry-run', means: 'show what would be done, and change nothing' },
  yes: {
    flags: '-y, --yes',
    means: 'sweep without asking; needed without a terminal, except in a pod',
    docs: '[the question](../commands.md#the-question)',
  },
  deadline: {
    flags: '--deadline <duration>',
    value: { kind: 'Timer' },
    means: 'stop the sweep after this time; the report is still printed',
  },
  lock: {
    flags: '--lock <namespace>',
    value: { kind: 'Namespace' },
    on: ['sweep', 'explain', 'check-access'],
    means: 'prevent concurrent sweeps with a Lease in this namespace',
    otherwise: "the pod's namespace, else sidecar-sweeper",
    excludes: 'noLock',
    docs: 'if another sweep holds it, this one says so and exits with 0',
    where: { explain: { means: 'read what earlier sweeps have noted in this namespace' } },
  },
  noLock: {
    flags: '--no-lock',
    on: ['sweep', 'check-access'],
    means: 'sweep even if another sweep holds the Lease',
  },
} as const satisfies Flags;

const outputFlags = {
  output: {
    flags: '-o, --output <format>',
    value: { kind: 'Choice', of: [...sweepFormats, 'html', 'admission-policy'] },
    on: onPrint,
    means: 'print in this format',
    otherwise: 'table',
    docs: '[what each is for](../commands.md#output)',
    where: {
      sweep: sweepOutput,
      scan: { choices: sweepFormats },
      explain: { choices: ['table', 'wide', 'json', 'yaml', 'ndjson', 'markdown'] },
      advise: { choices: ['table', 'wide', 'json', 'yaml', 'ndjson', 'markdown', 'admission-policy'] },
      'check-access': { choices: plainFormats },
      profiles: { choices: [...plainFormats, 'name'] },
      report: { choices: ['table', 'wide', 'json', 'yaml', 'markdown', 'html'] },
      'report merge': sweepOutput,
    },
  },
  watch: {
    flags: '-w, --watch',
    on: ['scan'],
    means: 'look again every ten seconds until it is interrupted, and print what has changed',
  },
  color: {
    flags: '--color <when>',
    value: { kind: 'Choice', of: ['auto', 'always', 'never'] },
    on: onPrint,
    means: 'use colour; auto does on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise',
    default: 'auto',
  },
  verbose: {
    flags: '-v, --verbose',
    on: ['sweep', 'scan', 'advise', 'explain'],
    means: 'list every pod, including those that were left alone, with the reasons',
    where: {
      scan: { means: 'list every pod that is stuck' },
      advise: { means: 'list every owner, with its command' },
      explain: { means: 'list the checks that passed as well' },
    },
  },
  reason: {
    flags: '--reason <reason>',
    value: { kind: 'Text' },
    on: ['explain'],
    means: 'say what a reason of a report means, such as MainRunning or Blocked, and what to do about it',
    excludes: 'output',
  },
  logLevel: {
    flags: '--log-level <level>',
    value: { kind: 'Choice', of: ['debug', 'info', 'warn', 'error', 'silent'] },
    means: 'log this level and above to stderr',
    otherwise: 'info; error on a terminal',
    docs: '[the log](../report.md#the-log)',
  },
  failOn: {
    flags: '--fail-on <what>',
    value: { kind: 'Choice', of: ['unresolved', 'error'] },
    on: ['sweep', 'report merge'],
    means: 'with error, do not fail for pods that are left stuck or blocked',
    default: 'unresolved',
    docs: 'see [exit codes](#exit-codes)',
  },
  reportFile: {
    flags: '--report-file <file>',
    value: { kind: 'File' },
    means: 'write the whole report to a file as well, as JSON',
  },
} as const satisfies Flags;

const connectionFlags = {
  context: {
    flags: '--context <context>',
    value: { kind: 'Text' },
    on: onCluster,
    means: 'use this context of the kubeconfig',
    otherwise: 'the current one',
    docs: '[several clusters](../commands.md#finding-the-cluster)',
  },
  as: {
    flags: '--as <user>',
    value: { kind: 'Text' },
    on: onCluster,
    means: 'act as this user, such as system:serviceaccount:tools:sweeper; needs impersonate',
  },
  kubeconfig: {
    flags: '--kubeconfig <file>',
    value: { kind: 'File' },
    on: onCluster,
    means: 'use this kubeconfig',
    otherwise: "KUBECONFIG, ~/.kube/config, or the pod's account",
    docs: '[what is supported](../commands.md#finding-the-cluster)',
  },
  insecureSkipTlsVerify: {
    flags: '--insecure-skip-tls-verify',
    on: onCluster,
    means: 'accept any certificate from the server, which may then be an impostor',
  },
  requestTimeout: {
    flags: '--request-timeout <duration>',
    value: { kind: 'Timeout' },
    on: onCluster,
    means: 'wait no longer than this for one request',
    default: 30_000,
  },
  concurrency: {
    flags: '--concurrency <number>',
    value: { kind: 'Number', least: 1, most: 1000 },
    means: 'send no more requests at a time than this',
    default: usualConcurrency,
    docs: 'waiting for a grace period does not count',
  },
} as const satisfies Flags;

/** The groups of flags, in the order of help and docs. */
export const flagGroups = {
  'What to sweep': scopeFlags,
  'How to end sidecars': endingFlags,
  Safety: safetyFlags,
  Output: outputFlags,
  Connection: connectionFlags,
} as const satisfies Readonly<Record<string, Flags>>;

export const allFlags = { ...scopeFlags, ...endingFlags, ...safetyFlags, ...outputFlags, ...connectionFlags };

export type GivenFlags = Given<typeof allFlags>;

type On<F> = F extends { readonly on: readonly (infer C)[] } ? C : 'sweep';

export type FlagsOf<C extends CommandName> = {
  readonly [K in keyof GivenFlags as C extends On<(typeof allFlags)[K]> ? K : never]?: GivenFlags[K];
};

export const defaults = defaultsOf({ ...safetyFlags, ...outputFlags, ...connectionFlags });
