import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../cli.ts';
import { reportsIn } from '../../reports-in.ts';
import { type Entry, entryOf, kubeconfigOf } from '../contexts.ts';
import { stuckPod, TestCluster } from '../stuck-pods.ts';

let west: TestCluster;
let east: TestCluster;
let folder: string;

beforeAll(async () => {
  west = await TestCluster.start([stuckPod({ name: 'of-west' })]);
  east = await TestCluster.start([stuckPod({ name: 'of-east' })]);
  folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-contexts-'));
});
afterAll(async () => {
  await Promise.all([west.stop(), east.stop()]);
  await rm(folder, { recursive: true });
});

const unreachable: Entry = { cluster: { server: 'http://127.0.0.1:1' }, user: {} };
const unusable: Entry = {
  cluster: { server: 'https://127.0.0.1:1', 'certificate-authority': '/nonexistent/ca.crt' },
  user: {},
};

/** The file of a kubeconfig with these contexts; the last one is the current one. */
async function kubeconfig(entries: Readonly<Record<string, Entry>>): Promise<string> {
  const file = join(folder, Object.keys(entries).join('-'));
  await writeFile(file, kubeconfigOf(entries));
  return file;
}

interface Item {
  readonly cluster: { readonly context: string };
  readonly unread: readonly { readonly message: string }[];
  readonly candidates?: readonly { readonly name: string }[];
  readonly pods?: readonly { readonly name: string; readonly outcome: { readonly kind: string } }[];
}

async function run(...argv: readonly string[]) {
  const { stdout, ...rest } = await runCli([...argv, '-o', 'json']);
  const { kind, items }: { kind: string; items: readonly Item[] } = JSON.parse(stdout);
  return { kind, items, contexts: items.map(({ cluster }) => cluster.context), ...rest };
}

describe('a scan', () => {
  it('of two contexts finds the stuck pods of both, each in a part of its own', async () => {
    const file = await kubeconfig({ west: entryOf(west), east: entryOf(east) });
    const { kind, items, contexts, exitCode, stderr } = await run(
      'scan',
      '--kubeconfig',
      file,
      '--context',
      'west',
      '--context',
      'east',
    );
    expect({ kind, contexts, exitCode, stderr }).toEqual({
      kind: 'ScanList',
      contexts: ['west', 'east'],
      exitCode: 0,
      stderr: '',
    });
    expect(items.map(({ candidates }) => candidates?.map(({ name }) => name))).toEqual([
      ['of-west'],
      ['of-east'],
    ]);
  });

  it('of all contexts begins with the current one, and reads a cluster with two names once', async () => {
    const file = await kubeconfig({ west: entryOf(west), again: entryOf(west), east: entryOf(east) });
    const { contexts, exitCode, stderr } = await run('scan', '--kubeconfig', file, '--all-contexts');
    expect({ contexts, exitCode, stderr }).toEqual({
      contexts: ['east', 'west'],
      exitCode: 0,
      stderr: 'sidecar-sweeper: left out the context "again": its server is that of "west"\n',
    });
  });

  it('names each cluster in its tables', async () => {
    const file = await kubeconfig({ west: entryOf(west), east: entryOf(east) });
    const { stdout } = await runCli(['scan', '--kubeconfig', file, '--all-contexts', '-o', 'table']);
    expect(stdout.split('\n').filter((line) => line.startsWith('== '))).toEqual([
      expect.stringMatching(/^== east \(https:/),
      expect.stringMatching(/^== west \(https:/),
    ]);
  });

  it('exits with 3 if one cluster cannot be read, and tells of the others', async () => {
    const file = await kubeconfig({ unusable, west: entryOf(west) });
    const { items, contexts, exitCode, stderr } = await run('scan', '--kubeconfig', file, '--all-contexts');
    expect({ contexts, exitCode }).toEqual({ contexts: ['west', 'unusable'], exitCode: 3 });
    expect(items[0]?.candidates).toHaveLength(1);
    expect(items[1]?.unread).toMatchObject([{ message: expect.stringContaining('/nonexistent/ca.crt') }]);
    expect(stderr).toMatch(/^sidecar-sweeper: unusable: .*\/nonexistent\/ca\.crt.*\n$/);
  });
});

it('a sweep of several clusters sweeps those that it can, and tells of each', async () => {
  const file = await kubeconfig({ unreachable, unusable, east: entryOf(east), west: entryOf(west) });
  const flags = ['--kubeconfig', file, '--all-contexts', '--no-lock'];
  const { kind, items, contexts, exitCode } = await run(...flags, '-o', 'json');
  expect({ kind, contexts, exitCode }).toEqual({
    kind: 'SweepReportList',
    contexts: ['west', 'unreachable', 'unusable', 'east'],
    exitCode: 3,
  });
  const pods = items.flatMap(({ pods = [] }) => pods.map(({ name, outcome }) => [name, outcome.kind]));
  expect(pods).toEqual([
    ['of-west', 'Ended'],
    ['of-east', 'Ended'],
  ]);
  expect(items.map(({ unread }) => unread.length)).toEqual([0, 1, 1, 0]);

  const { stdout } = await runCli(flags);
  const { reports } = await reportsIn(stdout);
  expect(new Set(reports.map(({ cluster }) => cluster.context))).toEqual(new Set(contexts));
  expect(reports.map(({ unread }) => unread.length).sort()).toEqual([0, 0, 1, 1]);
});

describe('is refused before anything is read:', () => {
  it.each([
    ['a context that does not exist', ['--context', 'west', '--context', 'wset'], 'no context "wset"'],
    ['contexts beside all contexts', ['--context', 'west', '--all-contexts'], '--all-contexts'],
    [
      'one file for the metrics of several clusters',
      ['--all-contexts', '--metrics-file', '/tmp/x'],
      '--metrics-file is for one',
    ],
    ['one name for several clusters', ['--all-contexts', '--cluster-name', 'x'], '--cluster-name is for one'],
  ])('%s', async (_, argv, message) => {
    const file = await kubeconfig({ east: entryOf(east), west: entryOf(west) });
    const before = west.emulator.requests.length;
    const { exitCode, stdout, stderr } = await runCli([...argv, '--kubeconfig', file]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(west.emulator.requests).toHaveLength(before);
  });
});
