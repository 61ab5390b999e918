import { describe, expect, it } from 'vitest';
import { jobToRead } from '../../../src/judge/missing-facts.ts';
import type { ContainerView, Facts, PodView, Policy, Rule } from '../../../src/vocabulary.ts';
import { container, exited, hour, minute, now, podView, running, waiting } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

/** A pod of a Job whose main has ended an hour ago and of whose sidecar nobody says anything. */
function unexplained(more: Partial<PodView> = {}): PodView {
  return podView({ annotations: {}, ...more });
}

function isRead(pod: PodView, { facts, ...parts }: Partial<Policy> & { facts?: Facts } = {}): boolean {
  const owner = jobToRead(pod, policy(parts), now, facts ?? noFacts);
  if (owner) expect(owner).toBe(pod.owner);
  return owner !== undefined;
}

const main = container('main', exited());
const having = (...containers: readonly ContainerView[]) => ({ containers });

describe('the Job is read', () => {
  it('when only a container that nobody speaks of stands in the way', () => {
    expect(isRead(unexplained())).toBe(true);
  });

  it('when a default container or a rule calls the one a main that may have been injected', () => {
    expect(
      isRead(unexplained({ annotations: { 'kubectl.kubernetes.io/default-container': 'sidecar' } })),
    ).toBe(true);
    const rules: readonly Rule[] = [{ name: 'keep', role: 'Main', containers: ['side*'] }];
    expect(isRead(unexplained(), { rules })).toBe(true);
  });

  it('when an injected sidecar may have ended badly, or just now, beside one that runs', () => {
    const sidecar = container('sidecar', running);
    const annotations = { 'nrmitchi.com/sidecars': 'sidecar' };
    const failed = container('injected', exited(1));
    expect(
      isRead(unexplained({ annotations, restartPolicy: 'OnFailure', ...having(main, failed, sidecar) })),
    ).toBe(true);
    const recent = container('injected', exited(0, now - minute));
    expect(isRead(unexplained({ annotations, ...having(main, recent, sidecar) }))).toBe(true);
    const waits = container('injected', waiting());
    expect(isRead(unexplained({ annotations, ...having(main, waits, sidecar) }))).toBe(true);
  });

  it('by the pod’s own threshold', () => {
    const annotations = { 'sidecar-sweeper.dev/min-age': '2h', 'nrmitchi.com/sidecars': 'sidecar' };
    const old = container('main', exited(0, now - 3 * hour));
    const sidecars = [container('injected', exited(0, now - hour)), container('sidecar', running)];
    expect(isRead(unexplained({ annotations, ...having(old, ...sidecars) }))).toBe(true);
  });

  it('for a pod that may be stuck on a sidecar that never came to run, when those are looked for', () => {
    const pod = unexplained({ phase: 'Pending', ...having(main, container('sidecar', waiting())) });
    expect(isRead(pod)).toBe(false);
    const scope = { namespaces: [], labelSelector: undefined, includePending: true };
    expect(isRead(pod, { scope })).toBe(true);
  });
});

describe('the Job is not read', () => {
  it.each<readonly [title: string, pod: PodView]>([
    ['of a pod that has none', unexplained({ owner: undefined })],
    ['of a pod of something else', unexplained({ owner: { kind: 'Workflow', name: 'w', uid: 'u' } })],
    ['of a pod that nobody can judge', unexplained({ statusProblems: ['container main has no status'] })],
    ['of a pod that is stuck as it is', podView()],
    [
      'of a pod whose every container is a main that has ended',
      unexplained(having(main, container('b', exited()))),
    ],
    [
      'of a pod none of whose containers has ended',
      unexplained(having(container('a', running), container('b', running))),
    ],
    [
      'of a pod whose last main ended just now',
      unexplained(having(container('main', exited(0, now)), container('b', running))),
    ],
    [
      'of a pod whose weaker evidence says enough',
      unexplained(having(main, container('vault-agent', running, { image: 'hashicorp/vault:1.17' }))),
    ],
    ['of a pod that is being deleted', unexplained({ deleting: true })],
    [
      'of a pod whose owner wants it left alone',
      unexplained({ annotations: { 'sidecar-sweeper.dev/skip': 'true' } }),
    ],
    [
      'when the pod’s own word says that the container is a main',
      unexplained({ annotations: { 'sidecar-sweeper.dev/main': 'main,sidecar' } }),
    ],
    [
      'when the pod’s threshold cannot be read',
      unexplained({ annotations: { 'sidecar-sweeper.dev/min-age': 'soon' } }),
    ],
  ])('%s', (_title, pod) => {
    expect(isRead(pod)).toBe(false);
  });

  it('a second time', () => {
    const pod = unexplained();
    const facts = { ...noFacts, jobContainers: new Map([[pod.owner?.uid ?? '', ['main', 'sidecar']]]) };
    expect(isRead(pod, { facts })).toBe(false);
  });
});
