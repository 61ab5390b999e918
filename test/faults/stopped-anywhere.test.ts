import { expect, it } from 'vitest';
import type { StopReason } from '../../src/model/outcome.ts';
import type { LightBehaviour } from '../kit/emulator/index.ts';
import { sidecars, stuckPod } from '../kit/stuck-pods.ts';
import { expectSound, FaultyCluster, type Played, type Trouble } from './faulty-cluster.ts';
import { tally } from './tally.ts';

const cluster = FaultyCluster.startedOnce();

/** How long a sweep may go on, in milliseconds of the cluster's clock. */
const longestEnd = 5_000;

const size = 3;
const podsWith = (sidecar: LightBehaviour, grace: number) => (namespace: string) =>
  Array.from({ length: size }, (_, index) => stuckPod({ namespace, name: `pod-${index}`, sidecar, grace }));

/** Sweeps that stop at the first step, wait for a grace period, or go down the ladder to the end. */
const sweeps: readonly Pick<Trouble, 'pods' | 'flags'>[] = [
  { pods: podsWith(sidecars.clean, 1) },
  { pods: podsWith(sidecars.stubborn, 3), flags: { lastResort: ['delete'] } },
  { pods: podsWith(sidecars.shellLess, 2) },
];
const rows = { Signal: 'C7', Deadline: 'C11' } as const satisfies Partial<Record<StopReason, string>>;
type Reason = keyof typeof rows;

interface Case extends Trouble {
  readonly reason: Reason;
  readonly index: number;
  /** When the case began, and when it was stopped, by the cluster's clock. */
  readonly times: { began: number; stopped?: number };
}

/** A sweep that is stopped while the server serves one of its requests, or hangs from then on. */
function stoppedAt(index: number, reason: Reason, hangs: boolean, swept: Trouble): Case {
  const stop = new AbortController();
  const times: Case['times'] = { began: 0 };
  return {
    ...swept,
    concurrency: 1,
    stop,
    reason,
    index,
    times,
    trouble(namespace, { faults }, simulated) {
      times.began = simulated.now;
      const run = () => {
        times.stopped = simulated.now;
        stop.abort(reason);
      };
      faults.add({ namespace }, { kind: 'Before', run }, { skip: index, times: 1 });
      if (hangs) faults.add({ namespace }, { kind: 'NeverAnswer' }, { skip: index });
    },
  };
}

function expectEnded({ reason, index, times }: Case, { report, exitCode, requests, took }: Played): void {
  if (times.stopped === undefined) throw new Error('it was over before it could be stopped');
  expect(times.began + took - times.stopped, 'goes on').toBeLessThan(longestEnd);
  const sent = requests
    .slice(index + 1)
    .filter(({ verb, subresource }) => verb !== 'get' || subresource !== '');
  expect(sent, 'sends anything more').toEqual([]);
  expect(exitCode).toBe(5);
  expect(report.run.stoppedEarly).toBe(reason);
  if (report.unread.length === 0) expect(report.pods).toHaveLength(size);
}

it('C7, C11: a sweep that is stopped by a signal or its deadline at any request ends at once, starts nothing more, and has an outcome for every pod', async () => {
  const undisturbed = await cluster.playAll(sweeps);
  const cases = undisturbed.flatMap(({ requests }, which) =>
    requests.flatMap((_, index) =>
      (['Signal', 'Deadline'] as const).flatMap((reason) => [
        stoppedAt(index, reason, false, sweeps[which] ?? {}),
        // A request that hangs holds up the time of all cases.
        ...(which === 0 ? [stoppedAt(index, reason, true, sweeps[which] ?? {})] : []),
      ]),
    ),
  );
  const played = await cluster.playAll(cases);
  for (const reason of ['Signal', 'Deadline'] as const) {
    const these = cases.flatMap((one, index) => (one.reason === reason ? [index] : []));
    expectSound(
      these.flatMap((index) => played[index] ?? []),
      rows[reason],
    );
    for (const index of these) expectEnded(cases[index] ?? expect.fail(), played[index] ?? expect.fail());
    tally('faults', rows[reason], these.length);
  }
});
