import type { FlagCase } from './flag-case.ts';
import { longName } from './flag-cluster.ts';

/** The pod, or as `advise` names it, its owner. */
const long = new RegExp(`${longName}|Job demo/report`);

export const help: FlagCase = { words: '--help', shows: /^Usage: sidecar-sweeper/m, alone: true };

/** Which namespaces and pods to look at. */
export const namespaces: readonly FlagCase[] = [
  { words: '--namespace billing', shows: /list pods billing/ },
  { words: '--all-namespaces', beside: '--policy {folder}/billing.yaml', shows: long, alone: true },
  { words: '--exclude-namespace billing', hides: /\btold\b/, alone: true },
  { words: '--namespace-selector team=reports', shows: /list namespaces/, alone: true },
];

export const scope: readonly FlagCase[] = [
  ...namespaces,
  { words: '--selector app=report', hides: /pod-19/ },
  { words: '--include-pending', shows: /waiting-for-an-image/ },
  { words: '--min-age 2h', hides: long },
];

export const policyFile: FlagCase = { words: '--policy {folder}/billing.yaml', hides: long };

export const noop = '--noop-image registry.example.com/noop:1';
const shipped = `${noop} --noop-programs shipped`;

/** How to end sidecars. */
export const ending: readonly FlagCase[] = [
  { words: '--annotation-commands any', hides: /(?:on|to) the allowlist/ },
  { words: '--annotation-commands off', hides: /(?:on|to) the allowlist/ },
  {
    words: '--annotation-commands allowlist',
    beside: '--annotation-commands any',
    shows: /(?:on|to) the allowlist/,
  },
  { words: '--last-resort image-swap', beside: noop, shows: /last resort: |"lastResort":\[\{/ },
  { words: '--last-resort deadline', shows: /deadline/i },
  { words: '--last-resort evict', shows: /evict/i },
  { words: '--last-resort delete', shows: /delete/i },
  { words: noop, shows: /swap/ },
  { words: '--noop-programs shipped', beside: noop, shows: /ends with 0|"expectedExitCode":0/ },
  { words: '--raise-backoff-limit', beside: shipped, shows: /rais(?:e|ing)/i },
  { words: '--keep-logs 5', beside: noop, shows: /the last 5 lines of its log/ },
  { words: '--max-grace 1s', shows: /wait for this pod no longer than 1s/ },
  { words: '--unclean-exit forbid', shows: /forbid/i },
  { words: '--unclean-exit allow', hides: /only after another pod|"clearance":"(?!Free)/ },
  { words: '--unclean-exit canary', beside: '--unclean-exit forbid', hides: /forbid/i },
];

const refused = /refuses connections/;

export const connection: readonly FlagCase[] = [
  { words: '--context unreachable', shows: refused, alone: true },
  { words: '--kubeconfig {folder}/unreachable', shows: refused, alone: true },
  {
    words: '--insecure-skip-tls-verify',
    beside: '--context untrusted',
    hides: /is not trusted/,
    alone: true,
  },
  {
    words: '--request-timeout 1ms',
    shows: /no answer from/,
    alone: true,
  },
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins each colour
const colourBegins = /\u001b\[/;

export const color: readonly FlagCase[] = [
  { words: '--color always', shows: colourBegins },
  { words: '--color never', env: { FORCE_COLOR: '1' }, hides: colourBegins },
  { words: '--color auto', beside: '--color always', hides: colourBegins },
];

/** Formats by what is in them and in no table. */
const marks = {
  json: /^ {2}"apiVersion": /m,
  ndjson: /^\{"/m,
  markdown: /^\| -/m,
} as const;

export function outputs(...formats: readonly (keyof typeof marks)[]): readonly FlagCase[] {
  return [
    { words: '--output table', beside: '--output json', hides: marks.json },
    ...formats.map((format) => ({ words: `--output ${format}`, shows: marks[format] })),
  ];
}
