import { besides, type CommandCases, type FlagCase } from './flag-case.ts';
import { color, connection, ending, help, noop, outputs, policyFile, scope } from './shared-cases.ts';

const dry = '--dry-run --namespace demo,billing';
/** It sends all it has to sidecars that nothing ends, so that the next run does the same. */
const real = '--yes --namespace billing';
const many = '--yes --namespace many';
const table = `${dry} --output table`;

/** Where a plan says nothing of a flag, what is done does. */
const done: Readonly<Record<string, Pick<FlagCase, 'beside' | 'shows'>>> = {
  '--keep-logs 5': { beside: `${real} ${noop}`, shows: /get pods\/log billing/ },
  '--max-grace 1s': { beside: '--yes --namespace slow --lock slow', shows: /sidecar-sweeper-learnt/ },
};

function orDone(one: FlagCase): FlagCase {
  const otherwise = done[one.words];
  return otherwise
    ? { words: one.words, ...otherwise }
    : { ...one, beside: `${dry} ${one.beside ?? ''}`.trim() };
}

/** The sweep, whose own flags stand behind no command. */
export const sweepCases: CommandCases = {
  command: '',
  usual: '',
  cases: [
    ...besides('--dry-run', [...scope, policyFile, ...connection]),
    // Of only two parts, all of these few pods might be in the first.
    { words: '--shard 0/1000', beside: dry, hides: /"otherShards":0/ },
    { words: '--shards 1000', beside: dry, hides: /"otherShards":0/, alone: true },
    ...ending.map(orDone),
    { words: '--max-pods 1', beside: many, shows: /"leftForNext":\{"/ },
    { words: '--max-pods-per-namespace 1', beside: many, shows: /"leftForNext":\{"/ },
    { words: '--max-pods-per-node 1', beside: many, shows: /"leftForNext":\{"/ },
    { words: '--brake-pods 0', beside: dry, shows: /"Braked"/ },
    { words: '--brake-share 10', beside: '--dry-run', shows: /"Braked"/ },
    { words: '--dry-run', beside: real, shows: /"run.dryRun":true/ },
    { words: '--yes', beside: '--namespace billing', hides: /nobody can be asked/ },
    { words: '--deadline 1ms', beside: real, shows: /stopped early/ },
    { words: '--lock billing', beside: real, shows: /create leases billing/ },
    { words: '--no-lock', beside: real, hides: /leases/, alone: true },
    ...besides(dry, outputs('json', 'markdown')),
    { words: '--output ndjson', beside: `${dry} --output json`, hides: /^ {2}"apiVersion"/m },
    { words: '--output wide', beside: table, shows: /NODE/ },
    { words: '--output name', beside: table, hides: /NAMESPACE/ },
    ...besides(table, color),
    { words: '--verbose', beside: dry, shows: /"Excluded"/ },
    { words: '--log-level debug', beside: dry, shows: /"level":"debug"/ },
    { words: '--log-level info', beside: `${dry} --log-level silent`, shows: /SweepStarted/ },
    { words: '--log-level warn', beside: dry, hides: /SweepStarted/ },
    { words: '--log-level error', beside: dry, hides: /SweepStarted/ },
    { words: '--log-level silent', beside: dry, hides: /SweepStarted/ },
    { words: '--events', beside: real, shows: /create events/ },
    { words: '--fail-on error', beside: real, hides: /exit code 4/ },
    { words: '--fail-on unresolved', beside: `${real} --fail-on error`, shows: /exit code 4/ },
    { words: '--report-file {written}/report.json', beside: real, shows: /^report.json: \{/m },
    { words: '--cluster-name billing', beside: dry, shows: /"k8s.cluster.name":"billing"/ },
    { words: '--pushgateway-url http://127.0.0.1:2', beside: real, shows: /127\.0\.0\.1:2\b/ },
    { words: '--metrics-file {written}/sweep.prom', beside: real, shows: /^sweep.prom: # /m },
    { words: '--termination-message {written}/message', beside: real, shows: /^message: /m },
    { words: '--concurrency 1', beside: `${many} --max-pods 5`, hides: /execs side by side/ },
    { words: '--version', shows: /^\d+\.\d+\.\d+/m, alone: true },
    help,
  ],
};
