import { expect, it } from 'vitest';
import { bounds } from '../../../src/model/bounds.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import { draftPod } from '../../../src/plan/draft.ts';
import { growth, quadratic } from '../../builders/growth.ts';
import { candidate } from '../../builders/plan.ts';
import { container, containerNames, exited, podView, running } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

/** A stuck pod whose sidecars are all like this. */
function withSidecars(count: number, more: Partial<ContainerView>, annotation?: unknown): PodView {
  const sidecars = containerNames(count).map((name) => container(name, running, more));
  const steps =
    annotation === undefined ? [] : containerNames(count).map((name) => [name, JSON.stringify(annotation)]);
  const annotations = {
    'sidecar-sweeper.dev/sidecars': containerNames(count).join(),
    ...Object.fromEntries(steps.map(([name, text]) => [`sidecar-sweeper.dev/steps-${name}`, text])),
  };
  return podView({ containers: [container('main', exited()), ...sidecars], annotations });
}

const draftOf = (pod: PodView) => draftPod(candidate(pod), policy({ annotationCommands: { kind: 'Any' } }));

it('a pod whose sidecars need more steps than any sweep could take is left alone', () => {
  // With TERM and KILL, each sidecar has 16.
  const steps = containerNames(14).map((name) => ({ command: [`/${name}`] }));
  const most = draftOf(withSidecars(bounds.steps / 16, {}, steps));
  expect(most.targets.filter(({ kind }) => kind === 'Planned')).toHaveLength(32);
  const pod = withSidecars(34, {}, steps);
  const containers = pod.containers.map((one) => (one.name === 'c0' ? { ...one, state: exited(3) } : one));
  const { targets, lastResort } = draftOf({ ...pod, containers });
  const outcome = { kind: 'Skipped', reason: { kind: 'OverBound', what: 'steps', most: bounds.steps } };
  expect(targets).toHaveLength(34);
  expect(targets[0]).toMatchObject({ outcome: { kind: 'AlreadyEnded', exitCode: 3 } });
  for (const target of targets.slice(1)) expect(target).toMatchObject({ kind: 'Skipped', outcome });
  expect(lastResort).toEqual([]);
});

it('planning takes time that grows with the bytes, not with their square', () => {
  const when = Array.from({ length: 8 }, (_, index) => ({ argument: `--a${index}` }));
  const planning = (size: number) => {
    const args = containerNames(100 * size);
    const stuck = candidate(withSidecars(size, { args }, [{ signal: ['TERM'], when }]));
    return () => draftPod(stuck, policy());
  };
  expect(growth(planning, 10)).toBeLessThan(quadratic);
});

it('what a pod says is repeated in part', () => {
  const args = [`--admin-port=${'x'.repeat(100_000)}`];
  const steps = [{ http: { port: { argument: '--admin-port' }, path: '/quit' } }];
  const [target] = draftOf(withSidecars(1, { args }, steps)).targets;
  expect(JSON.stringify(target?.unfit).length).toBeLessThan(400);
});
