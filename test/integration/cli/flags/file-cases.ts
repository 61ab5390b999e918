import { besides, type CommandCases } from './flag-case.ts';
import { color, help, outputs } from './shared-cases.ts';

/** The commands that need no cluster. */
export const fileCases: readonly CommandCases[] = [
  {
    command: 'profiles',
    usual: '',
    cases: [
      { words: '--policy {folder}/our-proxy.yaml', shows: /^our-proxy: /m },
      ...outputs('json', 'ndjson', 'markdown'),
      { words: '--output name', shows: /^istio$/m },
      ...color,
      help,
    ],
  },
  { command: 'validate', usual: '{folder}/wrong.yaml', cases: [help] },
  {
    command: 'report',
    usual: '{folder}/sweep.json',
    cases: [
      ...outputs('json', 'markdown'),
      { words: '--output wide', hides: /^and \d+ more/m },
      { words: '--output html', shows: /^<!doctype html>/im, alone: true },
      ...color,
      help,
    ],
  },
  {
    command: 'report merge',
    usual: '{folder}/shard-0.json {folder}/shard-1.json',
    cases: [
      ...outputs('json', 'markdown'),
      { words: '--output ndjson', beside: '--output json', shows: /^\{"/m },
      { words: '--output wide', beside: '--output table', shows: /NODE/ },
      { words: '--output name', beside: '--output table', hides: /NAMESPACE/ },
      ...besides('--output table', color),
      { words: '--fail-on error', hides: /exit code 4/ },
      { words: '--fail-on unresolved', beside: '--fail-on error', shows: /exit code 4/ },
      help,
    ],
  },
  { command: 'completion', usual: 'bash', cases: [help] },
  { command: 'help', usual: 'scan', cases: [{ ...help, shows: /^Usage: sidecar-sweeper help/m }] },
];
