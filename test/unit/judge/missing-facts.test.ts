import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import { jobToRead, nodeToRead } from '../../../src/judge/missing-facts.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { Facts } from '../../../src/model/reading.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import type { Rule } from '../../../src/policy/rules.ts';
import { jobView } from '../../builders/job.ts';
import {
  container,
  exited,
  hour,
  initContainer,
  minute,
  nativeSidecar,
  now,
  podView,
  running,
  waiting,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

/** A Job's pod whose main container ended an hour ago, without evidence about its sidecar. */
function unexplained(more: Partial<PodView> = {}): PodView {
  return podView({ annotations: {}, ...more });
}

function isRead(pod: PodView, { facts, ...parts }: Partial<Policy> & { facts?: Facts } = {}): boolean {
  const owner = jobToRead(pod, { policy: policy(parts), now, facts: facts ?? noFacts });
  if (owner) expect(owner).toBe(pod.owner);
  return owner !== undefined;
}

const main = container('main', exited());
const vault = container('vault-agent', running, { image: 'hashicorp/vault:1.17' });
const having = (...containers: readonly ContainerView[]) => ({ containers });

describe('the Job is read', () => {
  const annotations = { 'nrmitchi.com/sidecars': 'sidecar' };
  const beside = (state: ContainerView['state'], more: Partial<PodView> = {}) => {
    const containers = [main, container('injected', state), container('sidecar', running)];
    return unexplained({ annotations, containers, ...more });
  };
  const byDefault = { 'kubectl.kubernetes.io/default-container': 'sidecar' };
  const rules: readonly Rule[] = [{ name: 'keep', role: 'Main', containers: ['side*'] }];

  const ownAge = { 'sidecar-sweeper.dev/min-age': '2h', 'nrmitchi.com/sidecars': 'sidecar' };
  const old = container('main', exited(0, now - 3 * hour));
  const sidecars = [container('injected', exited(0, now - hour)), container('sidecar', running)];
  const unstarted = unexplained({ phase: 'Pending', ...having(main, container('sidecar', waiting())) });
  const scope = { namespaces: [], labelSelector: undefined, includePending: true };

  it.each<readonly [title: string, pod: PodView, more: Partial<Policy>]>([
    ['if only a container without evidence prevents a candidate', unexplained(), {}],
    ['if a default container makes an injected one a main', unexplained({ annotations: byDefault }), {}],
    ['if a possibly injected sidecar failed', beside(exited(1), { restartPolicy: 'OnFailure' }), {}],
    ['if a possibly injected sidecar has just ended', beside(exited(0, now - minute)), {}],
    ['if a possibly injected sidecar is waiting beside a running one', beside(waiting()), {}],
    ['by the pod’s own threshold', unexplained({ annotations: ownAge, ...having(old, ...sidecars) }), {}],
    ['for a pod whose sidecar never started, if these are included', unstarted, { scope }],
    ['if only the catalogue knows what is running: it may be the work', unexplained(having(main, vault)), {}],
    ['if one of two mains failed: it may be injected', beside(exited(1)), {}],
  ])('%s', (_title, pod, more) => {
    expect(isRead(pod, more)).toBe(true);
  });

  it('for no pod whose sidecar never started, unless these are included, and none whose main is one by a rule', () => {
    expect(isRead(unstarted)).toBe(false);
    expect(isRead(unexplained(), { rules })).toBe(false);
    const ruled = having(container('side', exited()), main, vault);
    expect(isRead(unexplained(ruled), { rules })).toBe(false);
  });
});

describe('the Job is not read', () => {
  // biome-ignore format: one row a line
  it.each<readonly [title: string, pod: PodView]>([
    ['of a pod without an owner', unexplained({ owner: undefined })],
    ['of a pod with another kind of owner', unexplained({ owner: { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'u' } })],
    ['of a pod that cannot be judged', unexplained({ statusProblems: ['container main has no status'] })],
    ['of a pod that is stuck without it', podView()],
    ['of a stuck pod whose main failed, if its sidecar is annotated', podView(having(container('main', exited(1)), container('sidecar', running)))],
    ['of a stuck pod with two mains that succeeded', podView(having(main, container('second', exited()), container('sidecar', running)))],
    ['of a stuck pod whose main is annotated', unexplained({ ...having(main, vault), annotations: { 'sidecar-sweeper.dev/main': 'main' } })],
    ['of a pod with only ended main containers', unexplained(having(main, container('b', exited())))],
    ['of a pod without ended containers', unexplained(having(container('a', running), container('b', running)))],
    ['of a pod whose last main container has just ended', unexplained(having(container('main', exited(0, now)), container('b', running)))],
    ['of a pod that is being deleted', unexplained({ deleting: true })],
    ['of a pod with the skip annotation', unexplained({ annotations: { 'sidecar-sweeper.dev/skip': 'true' } })],
    ['if the pod’s annotation makes the container a main container', unexplained({ annotations: { 'sidecar-sweeper.dev/main': 'main,sidecar' } })],
    ['if the pod’s threshold is invalid', unexplained({ annotations: { 'sidecar-sweeper.dev/min-age': 'soon' } })],
  ])('%s', (_title, pod) => {
    expect(isRead(pod)).toBe(false);
  });

  it('a second time', () => {
    const pod = unexplained();
    const facts = {
      ...noFacts,
      templates: new Map([[pod.owner?.uid ?? '', jobView({ containers: ['main', 'sidecar'] })]]),
    };
    expect(isRead(pod, { facts })).toBe(false);
  });
});

describe('for what hangs', () => {
  const initializing = unexplained({
    phase: 'Pending',
    initContainers: [initContainer('log', running)],
    ...having(container('main', waiting('PodInitializing'))),
  });

  it('the Job is read if its template may have the init container that runs as a native sidecar', () => {
    expect(isRead(initializing)).toBe(true);
    expect(isRead({ ...initializing, initContainers: [initContainer('log')] })).toBe(false);
    expect(isRead({ ...initializing, deleting: true })).toBe(false);
  });

  const crashed = unexplained({
    restartPolicy: 'OnFailure',
    nativeSidecars: [nativeSidecar('mesh', { startupLimit: minute })],
    ...having(container('main', exited(2))),
  });
  const nodeOf = (pod: PodView, facts = noFacts) =>
    nodeToRead(judge(pod, policy(), now, facts), { policy: policy(), now, facts });

  it('the node is read if its kubelet may have failed to restart a main', () => {
    expect(nodeOf(crashed)).toBe('node1');
    const gone = nativeSidecar('log', { state: exited() });
    expect(nodeOf({ ...crashed, nativeSidecars: [gone, ...crashed.nativeSidecars] })).toBe('node1');
    expect(nodeOf({ ...crashed, nativeSidecars: [] })).toBeUndefined();
    expect(nodeOf({ ...crashed, node: undefined })).toBeUndefined();
    for (const known of [
      { kind: 'Ready', platform: '' } as const,
      { kind: 'NotReady', reason: 'NodeGone' } as const,
    ]) {
      expect(nodeOf(crashed, { ...noFacts, nodes: new Map([['node1', known]]) })).toBeUndefined();
    }
  });

  it('the node is read of every candidate, and of nothing else', () => {
    expect(nodeOf(podView())).toBe('node1');
    expect(nodeOf(podView({ deleting: true }))).toBeUndefined();
  });
});
