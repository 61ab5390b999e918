import { describe, expect, it } from 'vitest';
import type { RequestMatch } from '../kit/emulator/index.ts';
import { alone, indexesOf, otherWays, playEach, type Way, ways } from './every-request.ts';
import { FaultyCluster, outcomesOf, survive, type Trouble } from './faulty-cluster.ts';

const cluster = FaultyCluster.startedOnce();

const missing = 'the server could not find the requested resource';
/** Only the API server says of which object it is, and only then the object is known to be gone. */
// biome-ignore format: one row a line
const answers = [
  ['404 of a server', 404, '404 page not found\n'],
  ['404 of an API server', 404, { kind: 'Status', status: 'Failure', reason: 'NotFound', details: {}, message: missing }],
  ['404 of a gateway', 404, { kind: 'Status', status: 'Failure', reason: 'NotFound', message: 'no such cluster' }],
  ['501', 501, '<html><title>Not Implemented</title></html>'],
] as const;

const ended = { pod: 'Ended', exitCode: 0 } as const;
const stuck = { pod: 'Stuck', exitCode: 4 } as const;
const unread = { pod: undefined, exitCode: 3 } as const;

/** What becomes of the pod if a path has never been there. */
const paths: readonly (readonly [
  way: Way,
  path: RequestMatch,
  becomes: { pod: string | undefined; exitCode: number },
])[] = [
  ['signal', { resource: 'pods', verb: 'list' }, unread],
  ['signal', { resource: 'pods', verb: 'get', subresource: '' }, stuck],
  ['signal', { resource: 'namespaces' }, unread],
  ['signal', { resource: 'nodes' }, ended],
  ['signal', { resource: 'selfsubjectaccessreviews' }, ended],
  ['swap', { resource: 'pods', verb: 'patch' }, stuck],
  ['ephemeral', { subresource: 'ephemeralcontainers' }, stuck],
  ['deadline', { resource: 'pods', verb: 'patch' }, stuck],
  ['evict', { subresource: 'eviction' }, stuck],
  ['delete', { resource: 'pods', verb: 'delete' }, stuck],
];

describe('A7: a path that the server does not serve', () => {
  it.each(answers)('is no pod that is gone: %s', async (_title, status, body) => {
    const cases = paths.map(([way, path]) => unserved(way, path, status, body));
    survive('A7', await playEach(cluster, cases), ({ report, exitCode, took, requests }, index) => {
      const [way, path, becomes] = paths[index] ?? expect.fail();
      const at = `${way}: ${JSON.stringify(path)}`;
      expect(
        report.pods.map(({ outcome }) => outcome.kind),
        at,
      ).toEqual([becomes.pod ?? []].flat());
      expect(exitCode, at).toBe(becomes.exitCode);
      expect(took, at).toBeLessThan(120_000);
      expect(requests.length, at).toBeLessThan(100);
    });
  });

  const upgrades: readonly (readonly [Way, string])[] = [
    ['signal', 'exec'],
    ['http', 'portforward'],
  ];

  it.each(upgrades)('leads to nothing harsher if the pod may be gone: %s by %s', async (way, subresource) => {
    const played = await unservedUpgrades(way, subresource, 404);
    survive('A7', played, ({ report, exitCode, requests }) => {
      expect(report.pods.map(({ outcome }) => outcome.kind).join()).toMatch(/^(Stuck|Unproven)$/);
      expect(exitCode).toBe(4);
      expect(requests.filter(({ verb }) => verb === 'delete' || verb === 'patch')).toEqual([]);
      expect(requests.filter((one) => one.subresource === 'eviction')).toEqual([]);
    });
  });

  it.each(upgrades)('leads to the last resort if it always says so: %s by %s', async (way, subresource) => {
    survive('A7', await unservedUpgrades(way, subresource, 501), ({ report, exitCode, requests }) => {
      expect(report.pods.map(({ outcome }) => outcome.kind)).toEqual(['Gone']);
      expect(exitCode).toBe(0);
      expect(requests.filter((one) => one.subresource === 'eviction')).toHaveLength(1);
    });
  });
});

function unservedUpgrades(way: Way, subresource: string, wanted: number) {
  return playEach(
    cluster,
    answers
      .filter(([, status]) => status === wanted)
      .map(([, status, body]) => ({
        ...unserved(way, { subresource }, status, body),
        policy: { lastResort: [{ evict: true }, { delete: true }] },
      })),
  );
}

function unserved(way: Way, path: RequestMatch, status: number, body: string | object): Trouble {
  return alone(cluster, ways[way], (match, { faults }) => {
    faults.add({ ...path, ...match }, { kind: 'Answer', status, body });
  });
}

it.each<Way>(['signal', ...otherWays])('A6: a pod deleted before any request is gone: %s', async (way) => {
  // The first request is the list, in which it would not be.
  const indexes = (await indexesOf(cluster, ways[way])).slice(1);
  const cases = indexes.map((skip) =>
    alone(cluster, ways[way], (match, { faults, world }, namespace) => {
      const run = () => {
        // The sweep may have evicted or deleted it by then.
        if (!world.store.get('pods', namespace, 'pod')) return;
        world.deletePod(namespace, 'pod', { gracePeriodSeconds: 0 });
      };
      faults.add(match, { kind: 'Before', run }, { skip, times: 1 });
    }),
  );
  const sidecars: unknown[] = [];
  survive('A6', await playEach(cluster, cases), ({ report, exitCode, took }) => {
    expect(outcomesOf(report)).toEqual([['Gone', expect.stringMatching(/^(Gone|Stopped)$/)]]);
    sidecars.push(outcomesOf(report)[0]?.[1]);
    expect(exitCode).toBe(0);
    expect(took).toBeLessThan(30_000);
  });
  // How the sidecar ended stays known from the request on that showed it.
  expect(sidecars[0]).toBe('Gone');
  expect(sidecars).toEqual(sidecars.toSorted());
});
