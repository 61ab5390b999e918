import { describe, expect, it } from 'vitest';
import type { FaultAction } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { expectSound, FaultyCluster } from './faulty-cluster.ts';
import {
  attemptsOf,
  execs,
  neighbours,
  outcomeOf,
  type Stream,
  type Stumble,
  stumbling,
  tunnels,
} from './streams.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => FaultyCluster.start({ requestTimeout: 3_000 }));

const streams = [
  { stream: execs, framesToTell: 3 },
  { stream: tunnels, framesToTell: 4 },
];

interface Case extends Stumble {
  readonly outcome: string;
}

const often = [
  { times: 1, isOnce: true },
  { times: undefined, isOnce: false },
];

async function playAll(row: string, cases: readonly Case[]): Promise<readonly (readonly string[])[]> {
  const played = await cluster.playAll(cases.map(stumbling));
  expectSound(played, row);
  expect(neighbours(played)).toEqual(['Stopped 0']);
  for (const [index, { outcome, action }] of cases.entries()) {
    const one = played[index] ?? expect.fail();
    expect([action, outcomeOf(one), one.exitCode]).toEqual([
      action,
      outcome,
      outcome === 'Stopped 0' ? 0 : 4,
    ]);
  }
  tally('faults', row, played.length);
  return played.map((one) => attemptsOf(one));
}

describe('B2: an upgrade that is never answered', () => {
  it('did not arrive, and is asked for again', async () => {
    const attempts = await playAll(
      'B2',
      unanswered(streams, { kind: 'NeverAnswer' }, 'StillRunning Undelivered'),
    );
    expect(new Set(attempts.flat())).toEqual(new Set(['Accepted', 'Undelivered']));
  });

  it('may have arrived, if its connection breaks: the command may run then, but no request has gone through a tunnel', async () => {
    const cases = [
      ...unanswered([{ stream: execs }], { kind: 'Drop' }, 'Unproven'),
      ...unanswered([{ stream: tunnels }], { kind: 'Drop' }, 'StillRunning Undelivered'),
    ];
    const attempts = await playAll('B2', cases);
    expect(attempts.map(([first]) => first)).toEqual([
      'Unconfirmed',
      'Unconfirmed',
      'Accepted',
      'Undelivered',
    ]);
  });
});

function unanswered(
  among: readonly { readonly stream: Stream }[],
  action: FaultAction,
  atLast: string,
): readonly Case[] {
  return among.flatMap(({ stream }) =>
    often.map(({ times, isOnce }) => ({ stream, action, times, outcome: isOnce ? 'Stopped 0' : atLast })),
  );
}

describe('B4: a connection that stays open and tells nothing', () => {
  it('after each of its frames: the pod tells what came of it', async () => {
    const cases = streams.flatMap(({ stream, framesToTell }) =>
      stream.frames.slice(0, framesToTell).flatMap((_next, after) =>
        [...often, { times: undefined, isOnce: false, arrives: true }].map(({ isOnce, ...how }) => ({
          ...{
            stream,
            action: {
              kind: 'Frames',
              frames: stream.frames.slice(0, after),
              end: { kind: 'StayOpen' },
            } as const,
          },
          ...how,
          outcome: isOnce || 'arrives' in how ? 'Stopped 0' : 'Unproven',
        })),
      ),
    );
    const attempts = await playAll('B4', cases);
    expect(new Set(attempts.map(([first]) => first))).toEqual(new Set(['Unconfirmed']));
  });
});
