import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSound, FaultyCluster } from './faulty-cluster.ts';
import { attemptsOf, execs, neighbours, outcomeOf, type Stream, stumbling, tunnels } from './streams.ts';
import { tally } from './tally.ts';

let cluster: FaultyCluster;
beforeAll(async () => {
  cluster = await FaultyCluster.start();
});
afterAll(() => cluster.stop());

/** What the program makes of an answer instead of an upgrade. */
type Meaning = 'Refused' | 'NotThere' | 'Busy' | 'Undelivered';

const bare: readonly (readonly [status: number, Meaning])[] = [
  ...[400, 404].map((status) => [status, 'NotThere'] as const),
  [403, 'Refused'],
  ...[429, 503].map((status) => [status, 'Busy'] as const),
  ...[200, 301, 307, 401, 405, 409, 426, 500, 501, 502, 504].map(
    (status) => [status, 'Undelivered'] as const,
  ),
];

const explained: readonly (readonly [status: number, Meaning, body: string | object])[] = [
  [403, 'Refused', { kind: 'Status', status: 'Failure', message: 'pods is forbidden', code: 403 }],
  [404, 'NotThere', { kind: 'Status', status: 'Failure', message: 'pods "node-1" not found', code: 404 }],
  [404, 'NotThere', '404 page not found'],
  [500, 'NotThere', 'container not found ("sidecar")'],
  [500, 'Undelivered', { kind: 'Status', status: 'Failure', message: 'no', code: 500 }],
  [502, 'Undelivered', '<html>Bad Gateway</html>'],
  [500, 'Undelivered', 'error dialing backend: dial tcp 10.0.0.1:10250: connect: connection refused'],
];

const refusals = [...bare.map(([status, meaning]) => [status, meaning, ''] as const), ...explained];

/** A refusal that may pass is tried again, one that may mean the sidecar's end is waited for, and only one for good is passed over. */
function outcomeAfter(meaning: Meaning, isOnce: boolean, { subresource }: Stream): string {
  switch (meaning) {
    case 'Refused':
      return subresource === 'exec' ? 'StillRunning Refused' : 'StillRunning NoSuchProgram';
    case 'NotThere':
      return 'Unproven';
    case 'Busy':
    case 'Undelivered':
      return isOnce ? 'Stopped 0' : 'StillRunning Undelivered';
  }
}

describe.each([execs, tunnels])('B1: an upgrade to $subresource that is refused', (stream) => {
  it.each([
    ['once', 1],
    ['every time', undefined],
  ])('%s costs its own pod at most, whatever the status', async (_often, times) => {
    const played = await cluster.playAll(
      refusals.map(([status, , body]) =>
        stumbling({ stream, times, action: { kind: 'Answer', status, body } }),
      ),
    );
    expectSound(played, 'B1');
    expect(neighbours(played)).toEqual(['Stopped 0']);
    for (const [index, [status, meaning]] of refusals.entries()) {
      const one = played[index] ?? expect.fail();
      const outcome = outcomeAfter(meaning, times === 1, stream);
      expect([status, outcomeOf(one), one.exitCode]).toEqual([
        status,
        outcome,
        outcome === 'Stopped 0' ? 0 : 4,
      ]);
      expect(attemptsOf(one)[0]).toBe(outcome === 'Stopped 0' ? 'Accepted' : meaning);
    }
    tally('faults', 'B1', played.length);
  });
});
