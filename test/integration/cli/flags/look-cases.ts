import type { CommandCases, FlagCase } from './flag-case.ts';
import { color, connection, ending, help, namespaces, outputs, policyFile, scope } from './shared-cases.ts';

/** Whoever has the flags of a sweep asks with the same ones whether it may be done. */
const same = 'no permission depends on it';

/** What the ways to end sidecars need. */
const grants: Readonly<Record<string, Pick<FlagCase, 'shows'>>> = {
  '--last-resort deadline': { shows: /deadline/i },
  '--last-resort evict': { shows: /evict/i },
  '--last-resort delete': { shows: /delete/i },
  '--noop-image registry.example.com/noop:1': { shows: /swap/ },
  '--raise-backoff-limit': { shows: /raise the backoffLimit for image swaps/ },
  '--keep-logs 5': { shows: /pods\/log/ },
};

/** The commands that read a cluster and change nothing. */
export const lookCases: readonly CommandCases[] = [
  {
    command: 'scan',
    usual: '',
    cases: [
      ...scope,
      policyFile,
      ...connection,
      ...outputs('json', 'ndjson', 'markdown'),
      { words: '--output wide', columns: 80, shows: /mains \(exit codes\)/i },
      { words: '--output name', hides: /NAMESPACE/ },
      ...color,
      help,
    ],
  },
  {
    command: 'explain',
    usual: '--selector app',
    cases: [
      ...namespaces,
      { words: '--selector app=told', hides: /opted-out/ },
      { words: '--min-age 2h', shows: /ended too recently/ },
      policyFile,
      ...ending,
      ...connection,
      ...outputs('json', 'ndjson', 'markdown'),
      { words: '--output wide', columns: 60, shows: /OptedOut\.md/ },
      { words: '--verbose', shows: /^MainWaiting +passed/m },
      ...color,
      help,
    ],
  },
  {
    command: 'advise',
    usual: '',
    cases: [...scope, policyFile, ...connection, ...outputs('json', 'ndjson', 'markdown'), ...color, help],
  },
  {
    command: 'check-access',
    usual: '',
    cases: [
      { words: '--namespace billing', shows: /^billing/m },
      {
        words: '--all-namespaces',
        beside: '--policy {folder}/billing.yaml',
        hides: /^billing/m,
        alone: true,
      },
      { words: '--exclude-namespace many', same },
      { words: '--namespace-selector team=reports', shows: /select namespaces by their labels/, alone: true },
      { words: '--selector app=report', same },
      { words: '--include-pending', same },
      { words: '--min-age 2h', same },
      { words: '--policy {folder}/billing.yaml', shows: /^billing/m },
      ...ending.map(({ words, beside = '' }) => ({ words, beside, ...(grants[words] ?? { same }) })),
      { words: '--lock billing', shows: /^billing +create/m },
      { words: '--no-lock', hides: /leases/, alone: true },
      { words: '--events', shows: /events/ },
      ...connection,
      ...outputs('json', 'ndjson', 'markdown'),
      ...color,
      help,
    ],
  },
];
