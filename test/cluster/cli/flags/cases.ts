import { longName } from './cluster.ts';

/**
 * A flag, and what it changes: something that the command says, asks the cluster for or writes with the flag, and not without it,
 * or the other way round. In all words, `{folder}` is that of the files beside the cluster, and `{written}` that of what a run writes.
 */
export interface FlagCase {
  /** The flag, with its value. */
  readonly words: string;
  /** Words that the run without the flag has as well. */
  readonly beside?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How wide the terminal is on which it shows; missing if it shows in a pipe. */
  readonly columns?: number;
  readonly shows?: RegExp;
  readonly hides?: RegExp;
  /** For a flag that must not be given together with the others of its command. */
  readonly alone?: true;
}

export interface CommandCases {
  readonly command: string;
  /** What it is called with; before the words beside a flag. */
  readonly usual: string;
  readonly cases: readonly FlagCase[];
}

/** The same cases beside words that all of them need. */
function besides(words: string, cases: readonly FlagCase[]): readonly FlagCase[] {
  return cases.map((each) => ({ ...each, beside: `${words} ${each.beside ?? ''}`.trim() }));
}

/** The pod, or as `advise` names it, its owner. */
const long = new RegExp(`${longName}|Job demo/report`);

const help: FlagCase = { words: '--help', shows: /^Usage: sidecar-sweeper/m, alone: true };

const namespaces: readonly FlagCase[] = [
  { words: '--namespace billing', shows: /list pods billing/ },
  { words: '--all-namespaces', beside: '--policy {folder}/billing.yaml', shows: long, alone: true },
];

const scope: readonly FlagCase[] = [
  ...namespaces,
  { words: '--selector app=report', hides: /\b2\d pods listed/ },
  { words: '--include-pending', shows: /waiting-for-an-image/ },
  { words: '--min-age 2h', hides: long },
];

const policyFile: FlagCase = { words: '--policy {folder}/billing.yaml', hides: long };

const noop = '--noop-image registry.example.com/noop:1';

const ending: readonly FlagCase[] = [
  { words: '--last-resort image-swap', beside: noop, shows: /last resort: |"lastResort":\[\{/ },
  { words: '--last-resort deadline', shows: /deadline/i },
  { words: '--last-resort evict', shows: /evict/i },
  { words: '--last-resort delete', shows: /delete/i },
  { words: noop, shows: /swap/ },
  { words: '--unclean-exit allow', hides: /exit code is unknown|UnknownEnd/i },
  {
    words: '--unclean-exit forbid',
    beside: '--unclean-exit allow',
    shows: /exit code is unknown|UnknownEnd/i,
  },
];

const rejected = /does not accept the credentials/;

// biome-ignore format: one row a line
const connection: readonly FlagCase[] = [
  { words: '--context stranger', shows: rejected, alone: true },
  { words: '--as system:anonymous', shows: /system:anonymous\b|lacks \d+ of/, alone: true },
  { words: '--kubeconfig {folder}/stranger', shows: rejected, alone: true },
  { words: '--insecure-skip-tls-verify', beside: '--context untrusted', hides: /is not trusted/, alone: true },
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins each colour
const colourBegins = /\u001b\[/;

const color: readonly FlagCase[] = [
  { words: '--color always', shows: colourBegins },
  { words: '--color never', env: { FORCE_COLOR: '1' }, hides: colourBegins },
  { words: '--color auto', beside: '--color always', hides: colourBegins },
];

/** Formats by what is in them and in no table. */
const marks = {
  json: /^ {2}"apiVersion": /m,
  yaml: /^(?:- )?apiVersion: /m,
  ndjson: /^\{"/m,
  markdown: /^(?:\| -|## )/m,
} as const;

function outputs(...formats: readonly (keyof typeof marks)[]): readonly FlagCase[] {
  return [
    { words: '--output table', beside: '--output json', hides: marks.json },
    ...formats.map((format) => ({ words: `--output ${format}`, shows: marks[format] })),
  ];
}

const dry = '--dry-run --namespace demo,billing';
/** Nothing ends these sidecars, so the next run finds the same. */
const real = '--yes --namespace billing';
const many = '--yes --namespace many';
const table = `${dry} --output table`;

/** The sweep, whose own flags stand behind no command. */
// biome-ignore format: one row a line
const sweepCases: CommandCases = {
  command: 'sweep',
  usual: '',
  cases: [
    ...besides('--dry-run', [...scope, policyFile, ...connection]),
    // Of only two parts, all of these few pods might be in the first.
    { words: '--shard 0/1000', beside: dry, hides: /"otherShards":0/ },
    { words: '--shards 1000', beside: dry, hides: /"otherShards":0/, alone: true },
    ...besides(dry, ending),
    { words: '--max-pods 1', beside: many, shows: /"leftForNext":\{"/ },
    { words: '--policy {folder}/one-in-a-namespace.yaml', beside: many, shows: /"leftForNext":\{"/, alone: true },
    { words: '--policy {folder}/one-on-a-node.yaml', beside: many, shows: /"leftForNext":\{"/, alone: true },
    { words: '--dry-run', beside: real, shows: /"run.dryRun":true/ },
    { words: '--yes', beside: '--namespace billing', hides: /cannot ask without a terminal/ },
    { words: '--deadline 1ms', beside: real, shows: /stopped early/ },
    { words: '--lock billing', beside: real, shows: /create leases billing/ },
    { words: '--no-lock', beside: real, hides: /leases/, alone: true },
    ...besides(dry, outputs('json', 'yaml', 'markdown')),
    { words: '--output ndjson', beside: `${dry} --output json`, hides: /^ {2}"apiVersion"/m },
    { words: '--output wide', beside: table, shows: /NODE/ },
    { words: '--output name', beside: table, hides: /FOR EXAMPLE/ },
    ...besides(table, color),
    { words: '--verbose', beside: dry, shows: /"Excluded"/ },
    { words: '--log-level debug', beside: dry, shows: /"level":"debug"/ },
    { words: '--log-level info', beside: `${real} --log-level silent`, shows: /"Acting"/ },
    { words: '--log-level warn', beside: real, hides: /"Acting"/ },
    { words: '--log-level error', beside: real, hides: /"Acting"/ },
    { words: '--log-level silent', beside: real, hides: /"Acting"/ },
    { words: '--fail-on error', beside: real, hides: /exit code 4/ },
    { words: '--fail-on unresolved', beside: `${real} --fail-on error`, shows: /exit code 4/ },
    { words: '--report-file {written}/report.json', beside: real, shows: /^report.json: \{/m },
    { words: '--concurrency 1', beside: `${many} --max-pods 5`, shows: /^1 execs at a time/m },
    help,
  ],
};

/** What `sweep` and `scan` have in common with the other commands is tried with these two alone: all flags are of one table. */
// biome-ignore format: one row a line
const otherCases: readonly CommandCases[] = [
  {
    command: 'scan',
    usual: '',
    cases: [
      ...scope,
      policyFile,
      ...connection,
      ...outputs('json', 'yaml', 'ndjson', 'markdown'),
      { words: '--output wide', columns: 80, shows: /image: /i },
      { words: '--output name', hides: /FOR EXAMPLE/ },
      { words: '--verbose', shows: /^many +pod-19 /m },
      ...color,
      help,
    ],
  },
  {
    command: 'explain',
    usual: '--selector app',
    cases: [
      { words: '--namespace billing', shows: /list pods billing/ },
      { words: '--selector app=annotated', hides: /opted-out/ },
      { words: '--min-age 2h', shows: /ended too recently/ },
      { words: '--lock billing', shows: /get leases billing/ },
      policyFile,
      ...ending,
      ...outputs('markdown'),
      { words: '--output wide', columns: 60, shows: /--reason OptedOut/ },
      { words: '--verbose', shows: /^MainWaiting +passed/m },
      { words: '--reason MainRunning', shows: /^What to do: /m, alone: true },
    ],
  },
  {
    command: 'advise',
    usual: '',
    cases: [
      ...scope,
      ...outputs('markdown'),
      { words: '--output admission-policy', shows: /AdmissionPolicy/ },
      { words: '--output wide', shows: /pod-19/ },
      { words: '--verbose', shows: /pod-19/ },
    ],
  },
  {
    command: 'check-access',
    usual: '',
    cases: [
      { words: '--namespace billing', shows: /^billing/m },
      { words: '--policy {folder}/billing.yaml', shows: /^billing/m },
      { words: '--last-resort evict', shows: /evict/i },
      { words: noop, shows: /swap/ },
      { words: '--lock billing', shows: /^billing +create/m },
      { words: '--no-lock', hides: /leases/, alone: true },
      ...outputs('markdown'),
    ],
  },
  {
    command: 'profiles',
    usual: '',
    cases: [
      { words: '--policy {folder}/our-proxy.yaml', shows: /^our-proxy: /m },
      { words: '--output name', shows: /^istio$/m },
      ...outputs('markdown'),
    ],
  },
  {
    command: 'report',
    usual: '{folder}/sweep.json',
    cases: [
      ...outputs('markdown'),
      { words: '--output wide', hides: /^and \d+ more/m },
      { words: '--output html', shows: /^<!doctype html>/im, alone: true },
    ],
  },
  {
    command: 'report merge',
    usual: '{folder}/shard-0.json {folder}/shard-1.json',
    cases: [
      ...outputs('markdown'),
      { words: '--output ndjson', beside: '--output json', shows: /^\{"/m },
      { words: '--fail-on error', hides: /exit code 4/ },
    ],
  },
  ...([['validate', '{folder}/wrong.yaml'], ['completion', 'bash'], ['help', 'scan']] as const)
    .map(([command, usual]) => ({ command, usual, cases: [{ ...help, shows: new RegExp(`^Usage: sidecar-sweeper ${command}`, 'm') }] })),
];

/** Every flag, with every value to choose from. */
export const allCases: readonly CommandCases[] = [sweepCases, ...otherCases];

/** Command lines that together have every flag with every value, each with as many as go together. */
export function packsOf({ cases }: CommandCases): readonly string[] {
  const packs: string[][] = [[]];
  const alone: string[] = [];
  for (const { words, beside = '', alone: isAlone } of cases) {
    if (isAlone) alone.push(`${beside} ${words}`);
    else {
      const [flag = ''] = words.split(' ');
      const free = packs.find((pack) => !pack.some((line) => line.includes(flag)));
      if (free) free.push(`${beside} ${words}`);
      else packs.push([`${beside} ${words}`]);
    }
  }
  return [...packs.map((pack) => pack.join(' ')), ...alone];
}
