import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { flagGroups } from '../../../../src/cli/flags.ts';
import { run } from '../../../../src/cli/program.ts';
import { describeFlag, type Flag, isOn } from '../../../../src/policy/flag.ts';
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
  const stdout = Object.assign(new PassThrough(), { ...(columns !== undefined && { columns }) });
  const stderr = new PassThrough();
  const texts = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await run(cluster.argvOf(words), {
    program: 'sidecar-sweeper',
    env: { KUBECONFIG: cluster.kubeconfig, JOB_COMPLETION_INDEX: '0', ...env },
    stdin: new PassThrough(),
    stdout,
    stderr,
    onStop: () => undefined,
  });
  stdout.end();
  stderr.end();
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
  return [`exit code ${exitCode}`, ...(await texts), ...files, ...new Set(requests), most].join('\n');
}

async function expectEffect({ command, usual }: CommandCases, one: FlagCase): Promise<void> {
  const { words, beside = '', shows, hides, same } = one;
  const without = await observe(`${command} ${usual} ${beside}`, one);
  const given = await observe(`${command} ${usual} ${beside} ${words}`, one);
  expect(given).not.toMatch(/^exit code [12]$/m);
  if (shows) expect(without).not.toMatch(shows);
  if (shows) expect(given).toMatch(shows);
  if (hides) expect(without).toMatch(hides);
  if (hides) expect(given).not.toMatch(hides);
  expect([shows, hides, same].filter(Boolean)).toHaveLength(1);
}

describe.each(allCases)('sidecar-sweeper $command $usual', (each) => {
  it.each(each.cases.filter(({ isSlow, isEndless }) => !isSlow && !isEndless))('$beside $words', (one) =>
    expectEffect(each, one),
  );
});

const slow = allCases.flatMap((each) =>
  each.cases.flatMap((one) => (one.isSlow ? [[each.command, one.words, each, one] as const] : [])),
);

describe.concurrent('sidecar-sweeper', () => {
  it.each(slow)('%s %s', (_command, _words, each, one) => expectEffect(each, one));
});

const rows = Object.values(flagGroups).flatMap((group) => Object.values<Flag>(group));
const commands = new Set(rows.flatMap(({ on = ['sweep'] }) => on));

it.each([...commands])('every flag of %s has a case, with every value to choose from', (name) => {
  const { cases } = allCases.find(({ command }) => command === name) ?? { cases: [] };
  const tried = cases.map(({ words }) => words);
  const missing = rows
    .filter((row) => isOn(row, name))
    .flatMap((row) => {
      const [long = ''] = /--[a-z-]+/.exec(row.flags) ?? [];
      const { choices } = describeFlag(row, name);
      return choices.length > 0 ? choices.map((choice) => `${long} ${choice}`) : long;
    })
    .filter((flag) => !tried.some((words) => words === flag || words.startsWith(`${flag} `)));
  expect(missing).toEqual([]);
});
