import { describe, expect, it } from 'vitest';
import type { PodView } from '../../../src/model/pod.ts';
import { addUpDoubts, doubtsIn } from '../../../src/plan/plan.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import { candidate, plannedTarget, podPlan, skippedTarget, steps } from '../../builders/plan.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';

const warnOfDoubts = (pods: readonly PodPlan[]) => addUpDoubts(pods.flatMap(doubtsIn));

const swap = steps.ImageSwap;

function pod(command: readonly string[] | undefined, image = 'docker.io/local/busybox:1'): PodView {
  const sidecar = container('sidecar', running, { command, image });
  return podView({ containers: [container('main', exited()), sidecar] });
}

function warnings(pods: readonly PodView[], lastResort = [swap]) {
  return warnOfDoubts(pods.map((one) => podPlan({ candidate: candidate(one), lastResort })));
}

function mayNotStart(program: string, containers: number, image = 'docker.io/local/busybox:1') {
  return { kind: 'NoopMayNotStart', noop: 'noop:1', image, program, containers };
}

describe('an image swap', () => {
  it('causes a warning if the no-op image may not have the program, once for equal containers', () => {
    const expected = [mayNotStart('/opt/agent', 3)];
    expect(warnings([pod(['/opt/agent', '-v']), pod(['/opt/agent']), pod(['/opt/agent'])])).toEqual(expected);
  });

  it('is in doubt as well if it is to be sent before uncertain steps', () => {
    const one = candidate(pod(['/opt/agent']));
    const plan = (...swappable: PodPlan['swappable']) => podPlan({ candidate: one, swap, swappable });
    const plans = [plan({ container: 'sidecar' }), plan(), plan({ container: 'sidecar' })];
    expect(warnOfDoubts(plans)).toEqual([mayNotStart('/opt/agent', 2)]);
  });

  it('causes one warning for each program and image', () => {
    const [agent, other] = [pod(['/opt/agent']), pod(['/opt/other'])];
    expect(warnings([agent, other, pod(['/opt/agent'], 'acme/a:1'), agent])).toEqual([
      mayNotStart('/opt/agent', 2),
      mayNotStart('/opt/other', 1),
      mayNotStart('/opt/agent', 1, 'acme/a:1'),
    ]);
  });

  it('causes none for sidecars that are skipped', () => {
    const targets = [skippedTarget()];
    const one = podPlan({ candidate: candidate(pod(['/opt/agent'])), targets, lastResort: [swap] });
    expect(warnOfDoubts([one])).toEqual([]);
  });

  it('is asked of each sidecar with the sidecar’s own command', () => {
    const commands = { sidecar: '/opt/agent', logging: '/opt/logger' };
    const own = Object.entries(commands).map(([name, one]) => container(name, running, { command: [one] }));
    const containers = [container('main', exited(), { command: ['/opt/main'] }), ...own];
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' };
    const two = podView({ annotations, containers });
    const targets = [plannedTarget(), plannedTarget({ container: 'logging' })];
    expect(warnOfDoubts([podPlan({ candidate: candidate(two), targets, lastResort: [swap] })])).toEqual([
      mayNotStart('/opt/agent', 1),
      mayNotStart('/opt/logger', 1),
    ]);
  });
});
