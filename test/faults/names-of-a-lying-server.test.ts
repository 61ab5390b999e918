import { expect, it } from 'vitest';
import { plain, renderTable } from '../builders/rendered.ts';
import { stuckPod } from '../kit/stuck-pods.ts';
import { expectClean, hostileTexts } from './corpus/hostile-texts.ts';
import { expectSound, FaultyCluster, podList } from './faulty-cluster.ts';
import { tally } from './tally.ts';

const cluster = FaultyCluster.startedOnce();

/** Names that would lead a request elsewhere, or that no API server gives. */
// biome-ignore format: as many as fit on a line
const names: readonly string[] = [
  '', ' ', '.', '..', '../secrets', '../../../version', 'a/b', 'a/exec', '/a', 'a/', '%2e%2e', '%2f',
  'a%00', 'a?watch=1', 'a#b', 'a&b', 'a;b', 'a=b', 'a b', 'a:b', 'a@b', 'a\\b', '*', '__proto__',
  'constructor', 'x'.repeat(254), 'x'.repeat(100_000), 'A', 'ä', '\u212a', 'a.b.', '-a',
  ...Object.values(hostileTexts),
];

type Metadata = { name: string; namespace: string; uid: string };

/** What such a name is that of. */
const places: Readonly<Record<string, (pod: Item, name: string) => void>> = {
  'a pod': ({ metadata }, name) => {
    metadata.name = name;
  },
  'a namespace': ({ metadata }, name) => {
    metadata.namespace = name;
  },
  'a uid': ({ metadata }, name) => {
    metadata.uid = name;
  },
  'a node': ({ spec }, name) => {
    spec.nodeName = name;
  },
  'a container': ({ spec, status, metadata }, name) => {
    for (const one of [...spec.containers, ...(status?.containerStatuses ?? [])]) {
      if (one.name === 'sidecar') one.name = name;
    }
    metadata.annotations = { 'sidecar-sweeper.dev/sidecars': name };
  },
};

interface Item {
  metadata: Metadata & { annotations?: Record<string, string> };
  spec: { nodeName?: string; containers: { name: string }[] };
  status?: { containerStatuses?: { name: string }[] };
}

it.each(Object.entries(places))('D5: a name of %s leads no request elsewhere', async (what, rename) => {
  const played = await cluster.play({
    pods: (namespace) => [stuckPod({ namespace, name: 'neighbour' })],
    trouble: (namespace, { faults, world }) => {
      const [real] = world.store.list('pods', namespace);
      const items = names.map((name, index) => {
        const item = structuredClone(real) as unknown as Item;
        item.metadata = { ...item.metadata, name: `lie-${index}`, uid: `lie-${index}` };
        rename(item, name);
        return item;
      });
      const body = podList([real, ...items]);
      const once = { times: 1 };
      faults.add({ verb: 'list', resource: 'pods', namespace }, { kind: 'Answer', status: 200, body }, once);
    },
    policy: { brakePods: 1_000_000 },
  });
  const { namespace, report } = played;
  expect(report.pods.find(({ name }) => name === 'neighbour')?.outcome.kind, what).toBe('Ended');
  expect(report.totals.listed).toBeGreaterThan(0);
  expectSound([played], 'D5');
  const untrue = report.pods.filter((pod) => pod.uid.startsWith('lie-') && pod.outcome.kind === 'Ended');
  expect(untrue, what).toEqual([]);
  const own = new RegExp(`^/(?:api/v1|apis/[a-z0-9.]+/v1)/(?:namespaces/${namespace}|pods|nodes)(?:[/?]|$)`);
  for (const { path } of cluster.emulator.requests) {
    const { pathname } = new URL(path, 'https://server');
    // Nothing is left that a server or a proxy on the way would read as a step up.
    expect(path.split('?')[0], what).toBe(pathname);
    expect(decodeURIComponent(pathname).split('/'), path).not.toContain('..');
  }
  for (const { path, verb } of played.requests) if (verb !== 'create') expect(path).toMatch(own);
  expectClean(renderTable(report, { ...plain, wide: true }), what);
  tally('badInputs', 'D5', names.length);
});
