import { describe, expect, it } from 'vitest';
import { type Emulator, ensureNamespace, type Pod } from '../kit/emulator/index.ts';
import { type StuckPod, stuckPod } from '../kit/stuck-pods.ts';
import { FaultyCluster, type Played, playOne, podList, sentAmong, type Trouble } from './faulty-cluster.ts';
import { outcomeOf } from './streams.ts';

const cluster = FaultyCluster.startedOnce();

type Other = StuckPod & { readonly namespace: string };

/** A stuck pod that the sweep does not cover. */
function place(emulator: Emulator, pod: Other): Pod {
  ensureNamespace(emulator.world, pod.namespace);
  emulator.world.placePods([stuckPod({ name: 'other', ...pod })]);
  return emulator.world.store.get<Pod>('pods', pod.namespace, pod.name ?? 'other') ?? expect.fail();
}

/** Every list of pods of this namespace has this pod besides its own. */
function mixIn({ world, faults }: Emulator, namespace: string, other: Pod): void {
  const items = [...new Set([...world.store.list<Pod>('pods', namespace), other])];
  const match = { namespace, verb: 'list', resource: 'pods' };
  faults.add(match, { kind: 'Answer', status: 200, body: podList(items) });
}

function answerInstead({ faults }: Emulator, resource: string, name: string, body: object): void {
  faults.add({ verb: 'get', resource, name, subresource: '' }, { kind: 'Answer', status: 200, body });
}

function play(trouble: Trouble): Promise<Played> {
  const pods = (namespace: string) => [stuckPod({ namespace, name: 'pod-1', labels: { team: 'a' } })];
  return playOne(cluster, 'A16', { pods, ...trouble });
}

/** What was sent to a pod of that name, wherever. */
function sentTo({ emulator }: FaultyCluster, namespace: string, name: string): readonly string[] {
  return sentAmong(emulator.requests.filter((one) => one.namespace === namespace && one.name === name));
}

describe('A16: an answer to another request', () => {
  // biome-ignore format: one row a line
  it.each<readonly [title: string, flags: object, otherIn: (namespace: string) => Other, list: (namespace: string) => string]>([
    ['one namespace has no pod of another namespace', {}, (own) => ({ namespace: `${own}-other` }), (own) => `namespace ${own}`],
    ['one label has no pod without it', { labelSelector: 'team in (a, c)' }, (namespace) => ({ namespace, labels: { team: 'b' } }), () => 'team in (a, c), which it does not match'],
  ])('to a list of %s swept', async (_title, flags, otherIn, list) => {
    const played = await play({
      flags,
      trouble: (own, emulator) => mixIn(emulator, own, place(emulator, otherIn(own))),
    });
    const { namespace } = otherIn(played.namespace);
    expect(sentTo(cluster, namespace, 'other')).toEqual([]);
    expect(outcomeOf(played)).toBe('Stopped 0');
    const problem = `it was in the answer to a list of ${list(played.namespace)}`;
    expect(played.report.undecided).toEqual([{ namespace, name: 'other', problem }]);
    expect(played.exitCode).toBe(0);
  });

  it('about a pod proves nothing of it', async () => {
    let elsewhere = '';
    const played = await play({
      trouble(namespace, emulator) {
        elsewhere = `${namespace}-other`;
        answerInstead(emulator, 'pods', 'pod-1', place(emulator, { namespace: elsewhere, name: 'pod-2' }));
      },
    });
    expect(sentTo(cluster, elsewhere, 'pod-2')).toEqual([]);
    expect(sentTo(cluster, played.namespace, 'pod-1')).toEqual([]);
    expect(outcomeOf(played)).not.toMatch(/Stopped|Replaced|Gone/);
    expect(played.exitCode).toBe(4);
  });

  it('about its namespace may hide that its owner opted out, and is not taken for it', async () => {
    const played = await play({
      trouble: (namespace, emulator) =>
        answerInstead(emulator, 'namespaces', namespace, named('Namespace', 'another')),
    });
    expect(sentTo(cluster, played.namespace, 'pod-1')).toEqual([]);
    const message = expect.stringContaining(' its owner may have opted out: another Namespace');
    expect(played.report.unread).toMatchObject([{ problem: 'Malformed', message }]);
    expect(played.exitCode).toBe(3);
  });

  it('about namespaces of a label selects none of the others', async () => {
    const played = await play({
      flags: { namespaces: [] },
      policy: { namespaceSelector: 'sweep=yes' },
      trouble(namespace, { faults }) {
        const items = [{ metadata: { name: namespace, labels: { sweep: 'no' } } }];
        const body = { kind: 'NamespaceList', apiVersion: 'v1', metadata: {}, items };
        faults.add({ verb: 'list', resource: 'namespaces' }, { kind: 'Answer', status: 200, body });
      },
    });
    cluster.emulator.faults.clear();
    expect(sentTo(cluster, played.namespace, 'pod-1')).toEqual([]);
    const message = expect.stringContaining('answered with items that do not match sweep=yes');
    expect(played.report.unread).toMatchObject([{ problem: 'Malformed', message }]);
    expect(played.exitCode).toBe(3);
  });
});

function named(kind: string, name: string): object {
  return { kind, apiVersion: 'v1', metadata: { name, uid: name } };
}
