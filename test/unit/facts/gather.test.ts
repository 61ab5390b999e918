import { describe, expect, it } from 'vitest';
import { createGatherer } from '../../../src/facts/gather.ts';
import { createJobReader } from '../../../src/facts/job-reader.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { JobReading, NamespaceReading, NodeReading } from '../../../src/model/reading.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import { CountedSlots, clusterWith, unreadable } from '../../builders/cluster.ts';
import { presentJob } from '../../builders/job.ts';
import { breaking, container, exited, nativeSidecar, now, podView } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const job = (...containers: readonly string[]) => presentJob({ containers });
const ready = { kind: 'Ready', platform: 'linux/amd64' } as const;
const present = { kind: 'Present', annotations: {} } as const;

/** A pod of a Job of that name; nothing says that it has a sidecar. */
function unexplained(job: string, more: Partial<PodView> = {}): PodView {
  const owner = { group: 'batch', kind: 'Job', name: job, uid: `uid-of-${job}` };
  return podView({ annotations: {}, owner, ...more });
}

interface Readings {
  readonly jobs?: JobReading;
  readonly node?: NodeReading;
  readonly namespace?: NamespaceReading;
}

function gathering({ jobs = job('main'), node = ready, namespace = present }: Readings = {}) {
  const asked: string[] = [];
  const namespacesAsked: string[] = [];
  const cluster = clusterWith({
    async readJob(namespace, { name }) {
      asked.push(`job ${namespace}/${name}`);
      return jobs;
    },
    async readNode(name) {
      asked.push(`node ${name}`);
      return node;
    },
    async readNamespace(name) {
      namespacesAsked.push(name);
      return namespace;
    },
  });
  const emit = () => undefined;
  const counted = new CountedSlots();
  const gatherer = createGatherer({
    policy: policy(),
    self: { namespace: 'sweeper', name: 'p' },
    cluster,
    emit,
    jobs: createJobReader(cluster, emit, counted.take),
    selected: { names: undefined },
    slots: counted.take,
    stop: new AbortController().signal,
  });
  return { gatherer, asked, namespacesAsked, counted };
}

/** The verdicts on these pods: first on those that wait for nothing. */
async function judgeAll(
  gatherer: ReturnType<typeof createGatherer>,
  pods: readonly PodView[],
): Promise<readonly Verdict[]> {
  const verdicts = pods.flatMap((pod) => gatherer.judge(pod, now) ?? []);
  for await (const verdict of gatherer.judgeWaiting(now)) verdicts.push(verdict);
  return verdicts;
}

describe('gathering', () => {
  it('reads the Job that may explain a pod, then the node that the pod is on', async () => {
    const { gatherer, asked } = gathering();
    await judgeAll(gatherer, [unexplained('work')]);
    expect(asked).toEqual(['job demo/work', 'node node1']);
    const template = { containers: ['main'], nativeSidecars: [] };
    expect(gatherer.facts.templates).toEqual(new Map([['uid-of-work', template]]));
    expect(gatherer.facts.nodes).toEqual(new Map([['node1', ready]]));
    expect(gatherer.facts.self).toEqual({ namespace: 'sweeper', name: 'p' });
  });

  const forged = unexplained('work', { ref: { namespace: 'other', name: 'forged', uid: 'uid-9' } });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, Readings, pods: readonly PodView[], asked: readonly string[]]>([
    ['reads each Job and each node once, however many pods there are', {}, [unexplained('a'), unexplained('a'), unexplained('b', { node: 'node2' }), podView()], ['job demo/a', 'job demo/b', 'node node1', 'node node2']],
    ['reads the Job of a pod although a pod of another namespace has named its uid before', {}, [forged, unexplained('work')], ['job other/work', 'job demo/work', 'node node1']],
    ['reads nothing for pods that are left alone anyway, and no node for a pod without one', {}, [unexplained('a', { deleting: true }), podView({ node: undefined })], []],
    ['does not ask about the node of a pod that is at work, as its Job shows', { jobs: job('main', 'sidecar') }, [unexplained('work')], ['job demo/work']],
  ])('%s', async (_title, readings, pods, expected) => {
    const { gatherer, asked } = gathering(readings);
    await judgeAll(gatherer, pods);
    expect(asked).toEqual(expected);
  });

  it('gives the verdicts on pods that wait in their order, with what a node shows about all pods on it', async () => {
    const { gatherer } = gathering({ node: { kind: 'NotReady', reason: 'NodeStatusUnknown' } });
    const pods = [podView({ deleting: true }), podView(), podView({ node: undefined })];
    const verdicts = await judgeAll(gatherer, pods);
    expect(verdicts.map(({ pod }) => pod)).toEqual(pods);
    const reasons = verdicts.map((one) => (one.kind === 'Excluded' ? one.because[0]?.kind : one.kind));
    expect(reasons).toEqual(['BeingDeleted', 'NodeNotReady', 'Candidate']);
  });

  it('judges a pod at once if its node and its namespace have been read for another', async () => {
    const { gatherer } = gathering();
    expect(gatherer.judge(podView(), now)).toBeUndefined();
    await judgeAll(gatherer, []);
    expect(gatherer.judge(podView(), now)?.kind).toBe('Candidate');
    const elsewhere = podView({ ref: { namespace: 'other', name: 'p', uid: 'uid-9' } });
    for (const pod of [podView({ node: 'node2' }), elsewhere, unexplained('work')]) {
      expect(gatherer.judge(pod, now)).toBeUndefined();
    }
    expect(gatherer.isFull).toBe(false);
  });

  it('judges a pod at once that its node or its namespace keeps from being swept', async () => {
    const optedOut = { kind: 'Present', annotations: { 'sidecar-sweeper.dev/skip': 'true' } } as const;
    const windows = { kind: 'Ready', platform: 'windows/amd64' } as const;
    const unready = { kind: 'NotReady', reason: 'x' } as const;
    for (const barring of [{ node: unready }, { node: windows }, { namespace: optedOut }]) {
      const { gatherer } = gathering(barring);
      const [first] = await judgeAll(gatherer, [podView()]);
      expect(first?.kind).toBe('Excluded');
      expect(gatherer.judge(podView(), now)).toEqual(first);
    }
  });

  it('knows nothing of a Job or a node that cannot be read', async () => {
    const { gatherer, asked } = gathering({ jobs: unreadable('TimedOut'), node: unreadable('TimedOut') });
    await judgeAll(gatherer, [unexplained('work'), podView()]);
    expect(asked).toEqual(['job demo/work', 'node node1']);
    expect(gatherer.facts.templates).toEqual(new Map());
  });

  it('makes every request in a slot', async () => {
    const { gatherer, asked, counted } = gathering();
    await judgeAll(gatherer, [unexplained('a'), unexplained('b', { node: 'node2' })]);
    expect(asked).toHaveLength(4);
    expect(counted.taken).toBe(5);
  });
});

it('a pod that cannot be judged keeps no other from being judged', async () => {
  const { gatherer, asked } = gathering();
  const broken = breaking(unexplained('broken'), 'annotations');
  await judgeAll(gatherer, [broken, unexplained('work')]);
  expect(asked).toContain('job demo/work');
});

it('judges again what hangs only if its node is ready, as soon as that is known', async () => {
  const nativeSidecars = [nativeSidecar('mesh', { startupLimit: 60_000 })];
  const containers = [container('main', exited(2))];
  const crashed = podView({ restartPolicy: 'OnFailure', containers, nativeSidecars });
  const ready = gathering();
  expect(await judgeAll(ready.gatherer, [crashed])).toMatchObject([{ kind: 'Hanging' }]);
  expect(ready.asked).toContain('node node1');
  const gone = gathering({ node: { kind: 'NotReady', reason: 'NodeGone' } });
  const because = ['NodeNotReady', 'NoSidecar', 'MainWillRestart'].map((kind) => ({ kind }));
  expect(await judgeAll(gone.gatherer, [crashed])).toMatchObject([{ kind: 'Excluded', because }]);
});

describe('the namespace of a stuck pod', () => {
  const stuck = [podView(), podView()];
  const skip = (value: string) => ({ 'sidecar-sweeper.dev/skip': value });

  it('is read once, and not at all if no pod is stuck', async () => {
    const { gatherer, namespacesAsked } = gathering();
    await judgeAll(gatherer, [podView({ deleting: true })]);
    expect(namespacesAsked).toEqual([]);
    await judgeAll(gatherer, stuck);
    expect(namespacesAsked).toEqual(['demo']);
  });

  it.each<readonly [title: string, NamespaceReading, verdict: string]>([
    ['may opt out all its pods', { kind: 'Present', annotations: skip('true') }, 'NamespaceOptedOut'],
    ['may not', { kind: 'Present', annotations: skip('false') }, 'Candidate'],
    ['may have opted out if it cannot be read', unreadable('Forbidden'), 'NamespaceUnreadable'],
    ['does not matter after a stop', unreadable('Interrupted'), 'Candidate'],
    ['does not matter if it is gone', { kind: 'Gone' }, 'Candidate'],
  ])('%s', async (_title, namespace, expected) => {
    const verdicts = await judgeAll(gathering({ namespace }).gatherer, stuck);
    const kinds = verdicts.map((one) => (one.kind === 'Excluded' ? one.because[0]?.kind : one.kind));
    expect(kinds).toEqual([expected, expected]);
  });
});

describe('all about a pod', () => {
  it('is read even if its verdict needs none of it', async () => {
    const { gatherer, asked, namespacesAsked } = gathering();
    await gatherer.readAllAbout(unexplained('work', { deleting: true }));
    expect([asked.toSorted(), namespacesAsked]).toEqual([['job demo/work', 'node node1'], ['demo']]);
    expect(gatherer.facts.nodes).toEqual(new Map([['node1', ready]]));
  });

  it('is known to be unread after a stop', async () => {
    const interrupted = unreadable('Interrupted');
    const { gatherer } = gathering({ namespace: interrupted });
    await gatherer.readAllAbout(podView({ owner: undefined, node: undefined }));
    expect(gatherer.facts.namespaces).toEqual(new Map([['demo', interrupted]]));
  });
});
