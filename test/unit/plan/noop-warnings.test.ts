import { describe, expect, it } from 'vitest';
import { planSweep } from '../../../src/plan/plan.ts';
import type { StepSpec } from '../../../src/policy/steps.ts';
import type { PodView } from '../../../src/vocabulary.ts';
import { candidate } from '../../builders/plan.ts';
import { specs } from '../../builders/planned.ts';
import { container, exited, now, podView, running } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const noop = 'registry.example/noop:1';

function pod(command: readonly string[] | undefined, more: Partial<PodView> = {}): PodView {
  const sidecar = container('sidecar', running, { command });
  return podView({ containers: [container('main', exited()), sidecar], ...more });
}

function warningsOf(pods: readonly PodView[], imageSwap: object = { image: noop }) {
  return warningsWith(specs({ imageSwap }), pods);
}

function warningsWith(lastResort: readonly StepSpec[], pods: readonly PodView[]) {
  return planSweep(
    pods.map((each) => candidate(each)),
    policy({ lastResort }),
    now,
  ).warnings;
}

describe('an image swap', () => {
  it('warns of a command that the no-op image is not known to have, once for all containers alike', () => {
    expect(warningsOf([pod(['/opt/agent', '-v']), pod(['/opt/agent'])])).toEqual([
      {
        kind: 'NoopMayNotStart',
        noop,
        image: 'docker.io/local/busybox:1',
        program: '/opt/agent',
        containers: 2,
      },
    ]);
  });

  it.each([
    [undefined],
    [['sh', '-c', 'true']],
    [['/bin/sh']],
    [['/usr/local/bin/envoy']],
    [['/cloud-sql-proxy']],
  ])('does not warn of what the shipped image starts: %j', (command) => {
    expect(warningsOf([pod(command)])).toEqual([]);
  });

  it('goes by what the policy says of another image', () => {
    const other = { image: 'registry.example/other:1', commands: ['/opt/agent'] };
    expect(warningsOf([pod(['/opt/agent'])], other)).toEqual([]);
    expect(warningsOf([pod(['/bin/sh'])], other)).toMatchObject([{ program: '/bin/sh' }]);
  });
});

it('without an image swap there is nothing to warn of', () => {
  expect(warningsWith(specs({ delete: true }), [pod(['/opt/agent'])])).toEqual([]);
});
