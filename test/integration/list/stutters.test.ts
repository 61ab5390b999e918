import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readRetries } from '../../../src/util/retry.ts';
import type { FaultAction } from '../../kit/emulator/index.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const pods = 600;
let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start(
    Array.from({ length: pods }, (_, index) => stuckPod({ name: `pod-${index}` })),
  );
});
afterEach(() => cluster.emulator.faults.clear());
afterAll(() => cluster.stop());

const list = { verb: 'list', resource: 'pods' };
const dryRun = ['--dry-run', '--max-pods', '10000'];

describe('a page of the list is read again', () => {
  it.each<readonly [title: string, fault: FaultAction]>([
    ['if its body is cut midway', { kind: 'CutBody', bytes: 200_000 }],
    ['if its body is cut in its first bytes', { kind: 'CutBody', bytes: 10 }],
    ['if the connection is reset', { kind: 'Drop' }],
    ['after a 429', { kind: 'Answer', status: 429 }],
    ['after a 500', { kind: 'Answer', status: 500 }],
    ['after a 503', { kind: 'Answer', status: 503, headers: { 'Retry-After': '1' } }],
  ])('%s', async (_title, fault) => {
    cluster.emulator.faults.add(list, fault, { skip: 1, times: 2 });
    const { run, report } = await cluster.sweep(dryRun);
    expect(run.exitCode).toBe(0);
    expect(report.totals).toMatchObject({ listed: pods, candidates: pods });
    expect(new Set(report.pods.map(({ uid }) => uid)).size).toBe(pods);
  });
});

it('the read fails if every try does, in seconds', async () => {
  cluster.emulator.faults.add(list, { kind: 'CutBody', bytes: 200_000 });
  const began = cluster.emulator.requests.length;
  const { run, report } = await cluster.sweep(dryRun);
  expect(run.exitCode).toBe(3);
  expect(report.unread).toMatchObject([{ problem: 'Unreachable' }]);
  expect(cluster.emulator.requests.slice(began).filter(({ verb }) => verb === 'list')).toHaveLength(
    readRetries.mostTries,
  );
});
