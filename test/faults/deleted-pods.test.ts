import { describe, expect, it } from 'vitest';
import { startedOnce } from '../kit/started.ts';
import { ownAccount } from './accounts.ts';
import { indexesOf, playEach, survive } from './every-request.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { outcomesOf } from './read-case.ts';
import { otherWays, type Way, ways } from './ways.ts';

const cluster = startedOnce(() => FaultyCluster.start());

describe('A6: a pod that is deleted', () => {
  it.each<Way>(['signal', ...otherWays])('just before any request is gone, by way of %s', async (way) => {
    // The first request is the list, in which it would not be.
    const indexes = (await indexesOf(cluster, ways[way])).slice(1);
    const played = await playEach(
      cluster,
      indexes.map((index) => {
        const account = ownAccount(cluster.emulator);
        return {
          ...ways[way],
          account,
          trouble: (namespace, { faults, world }) => {
            const run = () => {
              // The sweep may have evicted or deleted it by then.
              if (!world.store.get('pods', namespace, 'pod')) return;
              world.deletePod(namespace, 'pod', { gracePeriodSeconds: 0 });
            };
            faults.add(
              { token: account.tokens[0] ?? '' },
              { kind: 'Before', run },
              { skip: index, times: 1 },
            );
          },
        };
      }),
    );
    survive('A6', played, ({ report, exitCode, took }) => {
      expect(outcomesOf(report)).toEqual([['Gone', 'Gone']]);
      expect(exitCode).toBe(0);
      expect(took).toBeLessThan(30_000);
    });
  });
});
