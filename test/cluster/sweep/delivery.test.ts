import { describe, expect, it } from 'vitest';
import type { SweepReport } from '../../../src/report/schema.ts';
import type { FaultAction, RequestRecord } from '../../kit/emulator/index.ts';
import { FastSweeps } from '../../kit/fast-sweeps.ts';
import { podOutcome, sidecarOutcome, sidecars, stuckPod } from '../../kit/stuck-pods.ts';

const grace = 30;
const slow = { on: { SIGTERM: { exitCode: 0, after: 4_000 } } };
const pods = [
  { name: 'clean', sidecar: sidecars.clean },
  { name: 'slow', sidecar: slow },
] as const;

function status(code: number, reason: string): FaultAction {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message: 'try again', code };
  return { kind: 'Answer', status: code, body };
}

const faults: readonly (readonly [title: string, action: FaultAction])[] = [
  ['429', status(429, 'TooManyRequests')],
  ['503', status(503, 'ServiceUnavailable')],
  ['a dropped connection', { kind: 'Drop' }],
];

interface Swept {
  readonly namespace: string;
  readonly report: SweepReport;
  readonly requests: readonly RequestRecord[];
}

let namespaces = 0;

/** Sweeps a namespace of its own, in which requests fail from one of them on. */
async function sweepWith(
  cluster: FastSweeps,
  action: FaultAction,
  skip: number,
  times: number,
): Promise<Swept> {
  const { emulator } = cluster;
  const namespace = `sweep-${++namespaces}`;
  emulator.world.placePods(pods.map((pod) => stuckPod({ ...pod, namespace, grace })));
  const before = emulator.requests.length;
  emulator.faults.add({}, action, { skip, times });
  const report = await cluster.sweep(namespace, ['delete']);
  emulator.faults.clear();
  return { namespace, report, requests: emulator.requests.slice(before) };
}

function isSignal(name: string, { subresource, path }: RequestRecord): boolean {
  return subresource === 'exec' && path.includes(encodeURIComponent(`${name}:`));
}

/** Whether each KILL follows a TERM that arrived and was outlived. */
function isGentle(requests: readonly RequestRecord[]): boolean {
  return requests
    .filter((request) => isSignal('KILL', request))
    .every(({ name, at }) =>
      requests.some(
        (before) =>
          before.name === name &&
          isSignal('TERM', before) &&
          before.status === 101 &&
          at.getTime() - before.at.getTime() >= grace * 1_000,
      ),
    );
}

describe.concurrent('whichever request of a sweep fails', () => {
  const cases = faults.flatMap(([title, action]) =>
    [1, 5].map((times) => ({ title: `${title}, ${times} in a row`, action, times })),
  );

  it.each(cases)('no step is skipped, and nothing harsher is sent: $title', async ({ action, times }) => {
    const clusters = await Promise.all(Array.from({ length: 4 }, () => FastSweeps.start()));
    const { requests: all } = await sweepWith(
      clusters[0] ?? expect.fail(),
      { kind: 'Delay', milliseconds: 0 },
      0,
      1,
    );
    expect(all.some((request) => isSignal('TERM', request))).toBe(true);
    // Failed reads take real time, in which another cluster can be swept.
    await Promise.all(
      clusters.map(async (cluster, lane) => {
        for (let skip = lane; skip <= all.length; skip += clusters.length) {
          judge(cluster, times, await sweepWith(cluster, action, skip, times));
        }
        await cluster.stop();
      }),
    );
  });
});

function judge(cluster: FastSweeps, times: number, { namespace, report, requests }: Swept): void {
  expect(requests.filter(({ verb }) => verb === 'delete')).toEqual([]);
  expect(isGentle(requests)).toBe(true);
  for (const { name } of report.pods) {
    // One that could not be asked at all runs on; no other does.
    const outcome = sidecarOutcome(report, name);
    if (times > 1 && outcome?.kind === 'StillRunning') {
      expect(outcome.because.kind).toBe('Undelivered');
      expect(cluster.runs(namespace, name)).toBe(true);
    } else expect(outcome).toEqual({ kind: 'Stopped', exitCode: 0 });
  }
}

describe.concurrent('a status that lags', () => {
  const died = { reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message: '137' }] } };
  const last = Buffer.from(`\x03${JSON.stringify({ status: 'Failure', ...died })}`);
  /** What an exec is answered by a node on which its container has ended. */
  const answers: readonly (readonly [says: string, FaultAction])[] = [
    ['container not found', { kind: 'Answer', status: 500, body: 'container not found ("sidecar")' }],
    ['137', { kind: 'Frames', frames: [last], end: { kind: 'Close' } }],
  ];

  /** Sweeps a cluster whose kubelet tells of the end of a container so many milliseconds late. */
  async function lagging(milliseconds: number, answer: FaultAction) {
    const cluster = await FastSweeps.start({ timings: { noticeExit: milliseconds } });
    const { world, requests, faults } = cluster.emulator;
    world.placePods([stuckPod({ grace: 2 })]);
    faults.add({ subresource: 'exec' }, answer, { skip: 1 });
    const report = await cluster.sweep('demo', ['delete']);
    await cluster.stop();
    expect(requests.filter(({ verb }) => verb === 'delete')).toEqual([]);
    return report;
  }

  it.each(answers)('is waited for, if the next step is answered %s', async (_says, answer) => {
    const report = await lagging(10_000, answer);
    expect(sidecarOutcome(report)).toEqual({ kind: 'Stopped', exitCode: 0 });
  });

  it.each(answers)('for longer than that proves nothing: %s', async (says, answer) => {
    const report = await lagging(600_000, answer);
    const problem = expect.stringContaining(says);
    expect(sidecarOutcome(report)).toEqual({ kind: 'Unproven', problem });
    expect(podOutcome(report)).toEqual({ kind: 'Unproven', problem });
  });
});
