import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileIn, temporaryFolder } from '../kit/started.ts';
import { tokenOf } from './accounts.ts';
import { firstRead, indexesOf, otherWays, playEach, type Way, ways } from './every-request.ts';
import {
  expectGivenUp,
  expectUnharmed,
  FaultyCluster,
  outcomesOf,
  type Played,
  survive,
  type Trouble,
} from './faulty-cluster.ts';

const cluster = FaultyCluster.startedOnce();
const folder = temporaryFolder('tokens');

let files = 0;

/** A sweep whose token the server refuses from one of its requests on; then its file has the next one, if there is one. */
function rotated(way: Way, index: number, next: 'Good' | 'Refused' | 'None', times = 1): Trouble {
  const { emulator } = cluster;
  const tokens = Array.from({ length: times + 1 }, () => tokenOf(emulator));
  const [first = ''] = tokens;
  const file = fileIn(folder, `token-${files++}`, first);
  const user = { name: 'sweeper', token: first };
  const kubeconfig = emulator.kubeconfig(user).replace(`token: ${first}`, `tokenFile: ${file}`);
  const rotate = (to: number) => {
    emulator.revoke(tokens[to - 1] ?? '');
    const token = tokens[to];
    if (next === 'None' || token === undefined) return;
    if (next === 'Refused') emulator.revoke(token);
    writeFileSync(file, token);
  };
  return {
    ...ways[way],
    account: { kubeconfig, tokens },
    trouble: (_namespace, { faults }) => {
      for (let time = 1; time <= times; time++) {
        const match = { token: tokens[time - 1] ?? '' };
        const action = { kind: 'Before', run: () => rotate(time) } as const;
        faults.add(match, action, { skip: time === 1 ? index : 1, times: 1 });
      }
    },
  };
}

async function atEach(way: Way, next: 'Good' | 'Refused' | 'None', times = 1): Promise<readonly Played[]> {
  const indexes = await indexesOf(cluster, ways[way], way === 'signal' ? {} : firstRead);
  const cases = indexes.map((index) => rotated(way, index, next, times));
  return playEach(cluster, cases);
}

function expectSecret({ report, requests }: Played): void {
  for (const token of new Set(requests.map((one) => one.token))) {
    expect(JSON.stringify(report)).not.toContain(token);
  }
}

describe('A1: a token that the server refuses', () => {
  it.each<Way>(['signal', ...otherWays])('is replaced from its file, and costs nothing: %s', async (way) => {
    survive('A1', await atEach(way, 'Good'), (one) => {
      expectUnharmed(one);
      // Only requests that were already under way may be refused besides.
      const refused = one.requests.filter(({ status }) => status === 401);
      expect(refused.length).toBeGreaterThan(0);
      expect(new Set(refused.map(({ at }) => at.getTime())).size).toBe(1);
      expectSecret(one);
    });
  });

  it('may be replaced more than once', async () => {
    survive('A1', await atEach('signal', 'Good', 3), ({ report, exitCode }) => {
      expect(exitCode).toBe(0);
      expect(outcomesOf(report)).toEqual([['Ended', 'Stopped']]);
    });
  });

  it.each(['Refused', 'None'] as const)('and has no good one to follow ends the sweep: %s', async (next) => {
    survive('A1', await atEach('signal', next), (one) => {
      expectGivenUp(one, /does not accept the credentials|"Unsettled"/);
      const refused = one.requests.filter((each) => each.subresource === 'exec' && each.status === 401);
      expect(refused.length).toBeLessThan(20);
      expectSecret(one);
    });
  });
});

it.each([1, 2, 3, Number.POSITIVE_INFINITY])('A2: 401 to exec %i times harms no other', async (times) => {
  const stripped = { kind: 'Answer', status: 401, body: {} } as const;
  const ended = ['Ended', 'Stopped'];
  const refused = times === Number.POSITIVE_INFINITY ? ['Stuck', 'StillRunning'] : ended;
  const played = await cluster.playAll(
    [{ name: 'pod-1' }, {}].map((which) => ({
      policy: { lastResort: [{ delete: true }] },
      trouble: (namespace, { faults }) =>
        void faults.add({ ...which, subresource: 'exec', namespace }, stripped, { times }),
    })),
  );
  survive('A2', played, ({ report, requests, exitCode }, index) => {
    expect(outcomesOf(report)).toEqual(index === 0 ? [ended, refused, ended] : [refused, refused, refused]);
    expect(exitCode).toBe(refused === ended ? 0 : 4);
    // A request that was not let through is no reason for a harsher step.
    expect(requests.filter(({ verb }) => verb === 'delete')).toEqual([]);
    if (refused !== ended) expect(JSON.stringify(report)).toContain('does not accept the credentials');
  });
});
