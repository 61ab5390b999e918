import { describe, expect, it } from 'vitest';
import { createGatherer } from '../../../src/gather/gather.ts';
import { createJobReader } from '../../../src/gather/jobs.ts';
import { createNodeReader } from '../../../src/gather/nodes.ts';
import type { JobReading, NodeReading } from '../../../src/ports.ts';
import type { PodView, Problem, Warning } from '../../../src/vocabulary.ts';
import { now, podView } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const job = (...containers: readonly string[]): JobReading => ({
  kind: 'Present',
  job: { containers, complete: false, failed: undefined, uncounted: [] },
});
const problem = (kind: Problem['kind']): { readonly kind: 'Unreadable'; readonly problem: Problem } => ({
  kind: 'Unreadable',
  problem: { kind, message: `${kind}!` },
});

/** A pod of a Job of that name, of whose sidecar nobody says anything. */
function unexplained(job: string, more: Partial<PodView> = {}): PodView {
  return podView({ annotations: {}, owner: { kind: 'Job', name: job, uid: `uid-of-${job}` }, ...more });
}

function gathering({
  jobs = job('main'),
  node = { kind: 'Ready' },
}: {
  jobs?: JobReading;
  node?: NodeReading;
} = {}) {
  const asked: string[] = [];
  const warnings: Warning[] = [];
  const emit = (event: { kind: string }) => {
    if ('warning' in event) warnings.push(event.warning as Warning);
  };
  const cluster = {
    async readJob(namespace: string, { name }: { name: string }) {
      asked.push(`job ${namespace}/${name}`);
      return jobs;
    },
    async readNode(name: string) {
      asked.push(`node ${name}`);
      return node;
    },
  };
  const gatherer = createGatherer({
    policy: policy(),
    self: { namespace: 'sweeper', name: 'p' },
    jobs: createJobReader(cluster, emit),
    nodes: createNodeReader(cluster, emit),
    slots: (work) => work(),
    signal: new AbortController().signal,
  });
  return { gatherer, asked, warnings };
}

describe('gathering', () => {
  it('reads the Job of a pod that it may explain, then the node that the pod is on', async () => {
    const { gatherer, asked } = gathering();
    await gatherer.gather([unexplained('work')], now);
    expect(asked).toEqual(['job demo/work', 'node node1']);
    expect(gatherer.facts.jobContainers).toEqual(new Map([['uid-of-work', ['main']]]));
    expect(gatherer.facts.unreadyNodes).toEqual(new Map());
    expect(gatherer.facts.self).toEqual({ namespace: 'sweeper', name: 'p' });
  });

  it('reads each Job and each node once, however many pods and pages there are', async () => {
    const { gatherer, asked } = gathering();
    await gatherer.gather([unexplained('a'), unexplained('a'), unexplained('b', { node: 'node2' })], now);
    await gatherer.gather([unexplained('a'), podView()], now);
    expect(asked).toEqual(['job demo/a', 'job demo/b', 'node node1', 'node node2']);
  });

  it('reads nothing for pods that are left alone anyway, and no node for one on none', async () => {
    const { gatherer, asked } = gathering();
    await gatherer.gather([unexplained('a', { deleting: true }), podView({ node: undefined })], now);
    expect(asked).toEqual([]);
  });

  it('does not ask about the node of a pod that the Job shows to be at work', async () => {
    const { gatherer, asked } = gathering({ jobs: job('main', 'sidecar') });
    await gatherer.gather([unexplained('work')], now);
    expect(asked).toEqual(['job demo/work']);
  });

  it('does not ask again about a Job that is gone', async () => {
    const { gatherer, asked, warnings } = gathering({ jobs: { kind: 'Gone' } });
    await gatherer.gather([unexplained('work')], now);
    await gatherer.gather([unexplained('work')], now);
    expect(asked).toEqual(['job demo/work']);
    expect(warnings).toEqual([]);
  });

  it('knows the nodes that are not ready, with the reason', async () => {
    const { gatherer } = gathering({ node: { kind: 'NotReady', reason: 'NodeStatusUnknown' } });
    await gatherer.gather([podView()], now);
    expect(gatherer.facts.unreadyNodes).toEqual(new Map([['node1', 'NodeStatusUnknown']]));
  });

  it('warns once of nodes that are refused, and asks about none after that', async () => {
    const { gatherer, asked, warnings } = gathering({ node: problem('Forbidden') });
    await gatherer.gather([podView()], now);
    await gatherer.gather([podView({ node: 'node2' })], now);
    expect(asked).toEqual(['node node1']);
    expect(warnings).toEqual([{ kind: 'NodesUnreadable', message: 'Forbidden!' }]);
  });

  it('asks about the next node when one was not answered, and warns once', async () => {
    const { gatherer, asked, warnings } = gathering({ node: problem('TimedOut') });
    await gatherer.gather([podView(), podView({ node: 'node2' })], now);
    expect(asked).toEqual(['node node1', 'node node2']);
    expect(warnings).toEqual([{ kind: 'NodesUnreadable', message: 'TimedOut!' }]);
  });

  it('asks about the next Job when one was not answered, and warns once a namespace', async () => {
    const { gatherer, asked, warnings } = gathering({ jobs: problem('TimedOut') });
    const ref = { namespace: 'other', name: 'p', uid: 'u' };
    await gatherer.gather([unexplained('a'), unexplained('b'), unexplained('c', { ref })], now);
    expect(asked).toEqual(['job demo/a', 'job demo/b', 'job other/c']);
    expect(warnings).toEqual([
      { kind: 'JobsUnreadable', namespaces: ['demo'], message: 'TimedOut!' },
      { kind: 'JobsUnreadable', namespaces: ['other'], message: 'TimedOut!' },
    ]);
  });

  it('warns of nothing when the sweep was stopped', async () => {
    const { gatherer, warnings } = gathering({ jobs: problem('Interrupted'), node: problem('Interrupted') });
    await gatherer.gather([unexplained('work'), podView()], now);
    expect(warnings).toEqual([]);
  });
});
