import { beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/model/ports.ts';
import { startedOnce } from '../kit/started.ts';
import { stuckPod } from '../kit/stuck-pods.ts';
import { connectLimited, grant, subsetsOf } from './accounts.ts';
import { playEach } from './every-request.ts';
import { expectSound, FaultyCluster } from './faulty-cluster.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => FaultyCluster.start());
let account: Cluster;
beforeAll(async () => {
  account = await connectLimited(cluster);
});

describe('A3: 403 for lists', () => {
  it('of all namespaces says what to grant, and ends with 3', async () => {
    const played = await cluster.play({ cluster: account, flags: { namespaces: [] } });
    expectSound([played], 'A3');
    expect(played.exitCode).toBe(3);
    expect(played.report.pods).toEqual([]);
    const message = expect.stringContaining(
      'cannot list resource "pods" in API group "" at the cluster scope',
    );
    expect(played.report.unread).toMatchObject([{ problem: 'Forbidden', message }]);
    tally('permissions', 'A3', 1);
  });

  it('of some namespaces, and for exec in some, leaves the others as they are', async () => {
    const letters = ['a', 'b', 'c'];
    const both = subsetsOf(letters).flatMap((listed) => subsetsOf(letters).map((exec) => ({ listed, exec })));
    const named = both.map((one, index) => ({ ...one, prefix: `some-${index}` }));
    const played = await playEach(
      cluster,
      named.map(({ listed, exec, prefix }) => ({
        cluster: account,
        flags: { namespaces: letters.map((letter) => `${prefix}-${letter}`) },
        pods: () => letters.map((letter) => stuckPod({ namespace: `${prefix}-${letter}`, name: letter })),
        trouble: (_namespace, { world }) => {
          for (const letter of letters) {
            grant(world, `${prefix}-${letter}`, [
              'get namespaces',
              'get pods',
              ...(listed.includes(letter) ? (['list pods'] as const) : []),
              ...(exec.includes(letter) ? (['get pods/exec', 'create pods/exec'] as const) : []),
            ]);
          }
        },
      })),
    );
    expectSound(played, 'A3');
    for (const [index, { report, exitCode }] of played.entries()) {
      const { listed, exec, prefix } = named[index] ?? expect.fail();
      const at = `listed ${listed}, exec ${exec}`;
      expect(report.unread.map(({ namespace }) => namespace).sort(), at).toEqual(
        letters.filter((letter) => !listed.includes(letter)).map((letter) => `${prefix}-${letter}`),
      );
      for (const { name, outcome } of report.pods) {
        expect(outcome.kind, `${name} if ${at}`).toBe(exec.includes(name) ? 'Ended' : 'Stuck');
      }
      expect(report.pods.map(({ name }) => name).sort(), at).toEqual(listed);
      const isResolved = listed.every((letter) => exec.includes(letter));
      expect(exitCode, at).toBe(listed.length < letters.length ? 3 : isResolved ? 0 : 4);
    }
    tally('permissions', 'A3', played.length);
  });
});
