import { describe, expect, it } from 'vitest';
import type { FaultAction } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { expectSound, FaultyCluster } from './faulty-cluster.ts';
import { attemptsOf, execs, neighbours, outcomeOf, stumbling, tunnels } from './streams.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => FaultyCluster.start());

type Frames = Extract<FaultAction, { kind: 'Frames' }>;

const ends: readonly Frames['end'][] = [
  ...[1000, 1001, 1011].map((code) => ({ kind: 'Close', code }) as const),
  // The reader sees 1006.
  { kind: 'Terminate' },
];

describe.each([
  { stream: execs, subresource: 'exec', framesToTell: 3 },
  // Its head is the fourth frame; the body does not matter.
  { stream: tunnels, subresource: 'portforward', framesToTell: 4 },
])('B3: a connection for $subresource that breaks after each of its frames', ({ stream, framesToTell }) => {
  const breaks = [...stream.frames, undefined].flatMap((_next, after) =>
    ends.map((end) => {
      const action = { kind: 'Frames', frames: stream.frames.slice(0, after), end } as const;
      return { action, hasTold: after >= framesToTell };
    }),
  );

  it.each([
    ['every time, though the sidecar got the request', true, undefined],
    ['every time, and the sidecar never got the request', false, undefined],
    ['once, and the sidecar did not get the request', false, 1],
  ])('%s: the pod tells what came of it', async (_title, arrives, times) => {
    const played = await cluster.playAll(
      breaks.map(({ action }) => stumbling({ stream, action, arrives, times })),
    );
    expectSound(played, 'B3');
    expect(neighbours(played)).toEqual(['Stopped 0']);
    for (const [index, { action, hasTold }] of breaks.entries()) {
      const one = played[index] ?? expect.fail();
      const outcome = outcomeAfter({ hasTold, arrives, isOnce: times === 1 });
      expect([action, outcomeOf(one), one.exitCode]).toEqual([
        action,
        outcome,
        outcome === 'Stopped 0' ? 0 : 4,
      ]);
      // What is not known to have arrived is sent once more, and nothing harsher follows.
      const attempts = attemptsOf(one);
      if (!hasTold) expect(attempts[0]).toBe('Unconfirmed');
      if (outcome === 'Unproven') expect(attempts).toEqual(['Unconfirmed', 'Unconfirmed']);
      if (outcome === 'Stopped 0') expect(attempts).toHaveLength(arrives ? 1 : 2);
    }
    tally('faults', 'B3', played.length);
  });
});

interface Break {
  /** The connection had told that the request arrived. */
  readonly hasTold: boolean;
  readonly arrives: boolean;
  readonly isOnce: boolean;
}

/** A kubelet that lies is found out by the sidecar that runs on. */
function outcomeAfter({ hasTold, arrives, isOnce }: Break): string {
  if (arrives) return 'Stopped 0';
  if (hasTold) return 'StillRunning Outlived';
  return isOnce ? 'Stopped 0' : 'Unproven';
}
