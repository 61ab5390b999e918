import { describe, expect, it } from 'vitest';
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

describe('one tenant’s environment of 12 KB does not multiply into millions of steps:', () => {
  const long = containerNames(1_500).join();

  it('a graveyard of many names', () => {
    const env = { KUBEXIT_GRAVEYARD: long, KUBEXIT_DEATH_DEPS: containerNames(250).join() };
    const [target] = draftOf(withSidecars(1, { env })).targets;
    const detail = expect.stringMatching(/more than 64 files/);
    const tooMany = expect.objectContaining({ method: 'Tombstone', reason: 'OverBound', detail });
    const steps = [{ method: 'Signal' }, { method: 'Signal' }];
    expect(target).toMatchObject({ kind: 'Planned', steps, unfit: expect.arrayContaining([tooMany]) });
  });

  it('variables of its own, named in an annotation again and again', () => {
    const steps = Array.from({ length: 16 }, () => ({ tombstone: { path: '/$(A)/$(B)' } }));
    const env = { A: containerNames(8).join(), B: containerNames(8).join() };
    const [target] = draftOf(withSidecars(1, { env }, steps)).targets;
    expect(target).toMatchObject({
      kind: 'Skipped',
      outcome: { reason: { kind: 'BadKillCommand', problem: 'more than 64 steps' } },
    });
    expect(draftOf(withSidecars(1, { env }, steps.slice(0, 1))).targets).toMatchObject([{ kind: 'Planned' }]);
  });

  it('a path that grows with each variable in it', () => {
    const steps = [{ tombstone: { path: `/${'$(A)'.repeat(900)}` } }];
    const [target] = draftOf(withSidecars(1, { env: { A: 'x'.repeat(100_000) } }, steps)).targets;
    const detail = expect.stringMatching(/^a path of more than 4096 characters: .{216}…$/);
    expect(target?.unfit).toEqual([{ method: 'Tombstone', reason: 'OverBound', detail }]);
  });
});

it('a pod whose sidecars need more steps than any sweep could take is left alone', () => {
  // With TERM and KILL, each sidecar has 16.
  const steps = containerNames(14).map((name) => ({ tombstone: { path: `/${name}` } }));
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
