import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flagGroups } from '../../../../src/cli/flags.ts';
import { describeFlag, type Flag } from '../../../../src/policy/flag.ts';
import { runExactly } from '../../../kit/run-here.ts';
import { startedOnce } from '../../../kit/started.ts';
import { allCases, type CommandCases, type FlagCase } from './cases.ts';
import { FlagCluster } from './cluster.ts';

const cluster = startedOnce(() => FlagCluster.start());

const seen = new Map<string, Promise<string>>();

/** Everything that can be seen of a run, which is the same each time. */
function observe(words: string, { columns, env = {} }: FlagCase): Promise<string> {
  const key = JSON.stringify([words.replace(/ +/g, ' ').trim(), columns, env]);
  const known = seen.get(key) ?? runOnce(words, columns, env);
  seen.set(key, known);
  return known;
}

/** What a run prints, how it exits, what it writes and what it asks the cluster for. */
async function runOnce(words: string, columns: number | undefined, env: FlagCase['env']): Promise<string> {
  const before = cluster.requests.length;
  const { exitCode, stdout, stderr } = await runExactly(
    cluster.argvOf(words),
    { KUBECONFIG: cluster.kubeconfig, JOB_COMPLETION_INDEX: '0', ...env },
    { ...(columns !== undefined && { columns }) },
  );
  const files = readdirSync(cluster.written).map((name) => {
    const path = join(cluster.written, name);
    const written = `${name}: ${readFileSync(path, 'utf8')}`;
    rmSync(path);
    return written;
  });
  const requests = cluster.requests.slice(before).map(({ verb, resource, subresource, namespace, name }) => {
    const kind = [resource, subresource].filter(Boolean).join('/');
    return [verb, kind, namespace, resource === 'leases' ? name : ''].filter(Boolean).join(' ');
  });
  const most = `${cluster.takeMostExecs()} execs at a time`;
  return [`exit code ${exitCode}`, stdout, stderr, ...files, ...new Set(requests), most].join('\n');
}

async function expectEffect({ command, usual }: CommandCases, one: FlagCase): Promise<void> {
  const { words, beside = '', shows, hides } = one;
  const without = await observe(`${command} ${usual} ${beside}`, one);
  const given = await observe(`${command} ${usual} ${beside} ${words}`, one);
  expect(given).not.toMatch(/^exit code [12]$/m);
  if (shows) expect(without).not.toMatch(shows);
  if (shows) expect(given).toMatch(shows);
  if (hides) expect(without).toMatch(hides);
  if (hides) expect(given).not.toMatch(hides);
  expect([shows, hides].filter(Boolean)).toHaveLength(1);
}

describe.each(allCases)('sidecar-sweeper $command $usual', (each) => {
  it.each(each.cases)('$beside $words', (one) => expectEffect(each, one));
});

/** Tried in cluster/cli/verbs.test.ts, because it does not end by itself, and cluster/connection/command-line.test.ts, because it is slow. */
const elsewhere = ['--watch', '--request-timeout'];

it('every flag has a case, with every value to choose from', () => {
  const tried = allCases.flatMap(({ cases }) => cases.map(({ words }) => words));
  const missing = Object.values(flagGroups)
    .flatMap((group) => Object.values<Flag>(group))
    .flatMap((row) => {
      const [long = ''] = /--[a-z-]+/.exec(row.flags) ?? [];
      const choices = (row.on ?? ['sweep']).flatMap((command) => describeFlag(row, command).choices);
      return choices.length > 0 ? choices.map((choice) => `${long} ${choice}`) : long;
    })
    .filter(
      (flag) =>
        !elsewhere.includes(flag) && !tried.some((words) => words === flag || words.startsWith(`${flag} `)),
    );
  expect(missing).toEqual([]);
});
