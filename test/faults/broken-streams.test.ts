import { describe, expect, it } from 'vitest';
import type { FaultAction } from '../kit/emulator/index.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { execs, type Stumble, stumble, tunnels } from './streams.ts';

const cluster = FaultyCluster.startedOnce();
const impatient = FaultyCluster.startedOnce({ requestTimeout: 3_000 });

type Frames = Extract<FaultAction, { kind: 'Frames' }>;

const streams = [
  { stream: execs, subresource: 'exec', framesToTell: 3 },
  // Its head is the fourth frame; the body does not matter.
  { stream: tunnels, subresource: 'portforward', framesToTell: 4 },
];

const ends: readonly Frames['end'][] = [
  ...[1000, 1001, 1011].map((code) => ({ kind: 'Close', code }) as const),
  // The reader sees 1006.
  { kind: 'Terminate' },
];

describe.each(streams)('B3: a connection for $subresource that breaks after each of its frames', (of) => {
  const { stream, framesToTell } = of;
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
    const cases = breaks.map(({ action, hasTold }) => {
      const outcome = outcomeAfter({ hasTold, arrives, isOnce: times === 1 });
      return { stream, action, arrives, times, outcome };
    });
    for (const [index, { outcome, attempts }] of (await stumble(cluster, 'B3', cases)).entries()) {
      // What is not known to have arrived is sent once more, and nothing harsher follows.
      if (!breaks[index]?.hasTold) expect(attempts[0]).toBe('Unconfirmed');
      if (outcome === 'Unproven') expect(attempts).toEqual(['Unconfirmed', 'Unconfirmed']);
      if (outcome === 'Stopped 0') expect(attempts).toHaveLength(arrives ? 1 : 2);
    }
  });
});

interface Break {
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

/** Once, after which the sidecar ends, and every time, after which this is told. */
const oftenOf = (how: Omit<Stumble, 'times'>, atLast: string) => [
  { ...how, times: 1, outcome: 'Stopped 0' },
  { ...how, outcome: atLast },
];

async function attemptsOf(row: string, cases: readonly Stumble[]) {
  return (await stumble(impatient, row, cases)).map(({ attempts }) => attempts);
}

describe('B2: an upgrade that is never answered', () => {
  const undelivered = 'StillRunning Undelivered';

  it('did not arrive, and is asked for again', async () => {
    const action = { kind: 'NeverAnswer' } as const;
    const cases = streams.flatMap(({ stream }) => oftenOf({ stream, action }, undelivered));
    expect(new Set((await attemptsOf('B2', cases)).flat())).toEqual(new Set(['Accepted', 'Undelivered']));
  });

  it('may have arrived, if its connection breaks: the command may run then, but no request has gone through a tunnel', async () => {
    const action = { kind: 'Drop' } as const;
    const attempts = await attemptsOf('B2', [
      ...oftenOf({ stream: execs, action }, 'Unproven'),
      ...oftenOf({ stream: tunnels, action }, undelivered),
    ]);
    expect(attempts.map(([first]) => first)).toEqual([
      ...['Unconfirmed', 'Unconfirmed'],
      ...['Accepted', 'Undelivered'],
    ]);
  });
});

it('B4: of a connection that stays open and tells nothing after any of its frames, the pod tells what came', async () => {
  const cases = streams.flatMap(({ stream, framesToTell }) =>
    stream.frames.slice(0, framesToTell).flatMap((_next, after) => {
      const frames = stream.frames.slice(0, after);
      const action: Frames = { kind: 'Frames', frames, end: { kind: 'StayOpen' } };
      return [
        ...oftenOf({ stream, action }, 'Unproven'),
        { stream, action, arrives: true, outcome: 'Stopped 0' },
      ];
    }),
  );
  const attempts = await attemptsOf('B4', cases);
  expect(new Set(attempts.map(([first]) => first))).toEqual(new Set(['Unconfirmed']));
});
