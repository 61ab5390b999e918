import { describe, expect, it } from 'vitest';
import type { PodView } from '../../../src/model/pod.ts';
import type { JobFacts } from '../../../src/model/reading.ts';
import type { Clearance, StepSource, UncleanExit } from '../../../src/model/step.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import { isCleared, type Stakes, withClearance, worstCost } from '../../../src/plan/clearance.ts';
import { jobFacts, onExitCodes } from '../../builders/job.ts';
import { candidate, step, steps } from '../../builders/plan.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';

/** A stuck pod whose main ended with this code. */
function stuck(more: Partial<PodView> = {}, mainCode = 0): Candidate {
  const containers = [container('main', exited(mainCode)), container('sidecar', running)];
  return candidate(podView({ containers, ...more }));
}

/** What is at stake: each kind of cost, for any code. */
const stakes: Readonly<Record<string, Pick<Stakes, 'candidate' | 'job'>>> = {
  nothing: { candidate: stuck({ owner: undefined }), job: undefined },
  'a restart': { candidate: stuck({ restartPolicy: 'OnFailure' }), job: jobFacts() },
  'another run': { candidate: stuck(), job: jobFacts() },
  'an index': {
    candidate: stuck(),
    job: jobFacts({ perIndex: { retries: 0, maxFailed: undefined, failed: 0 } }),
  },
  'the Job': { candidate: stuck(), job: jobFacts({ backoffLimit: 0 }) },
  'a Job that cannot be read': { candidate: stuck(), job: { kind: 'Unreadable' } },
  'another owner': {
    candidate: stuck({ owner: { group: 'batch.volcano.sh', kind: 'Job', name: 'w', uid: 'w' } }),
    job: undefined,
  },
};

function clearanceOf(
  stake: string,
  exitCode: number | undefined,
  mode: UncleanExit,
  source: StepSource = { kind: 'Default' },
): Clearance {
  const at = stakes[stake];
  if (!at) expect.fail(`nothing is called ${stake}`);
  const { clearance: _before, ...plain } = step(15, { exitCode, source });
  const cleared = withClearance(plain, ['sidecar'], { ...at, mode });
  expect(cleared).toEqual({ ...plain, clearance: cleared.clearance });
  return cleared.clearance;
}

describe('a step that ends with 0, or that the operator takes the risk of, is free', () => {
  it.each(Object.keys(stakes))('where an unclean end costs %s', (stake) => {
    expect(clearanceOf(stake, 0, 'forbid')).toBe('Free');
    expect(clearanceOf(stake, undefined, 'allow')).toBe('Free');
    expect(clearanceOf(stake, 143, 'allow')).toBe('Free');
  });
});

describe('the clearance of a step where an unclean end costs', () => {
  it.each<readonly [stake: string, exitCode: number | undefined, UncleanExit, Clearance]>([
    ['nothing', undefined, 'forbid', 'Free'],
    ['nothing', 143, 'forbid', 'Free'],
    ['a restart', 143, 'forbid', 'KnownUnclean'],
    ['a restart', undefined, 'forbid', 'Forbidden'],
    ['another run', 143, 'forbid', 'KnownUnclean'],
    ['another run', undefined, 'forbid', 'Forbidden'],
    ['an index', 143, 'forbid', 'KnownUnclean'],
    ['an index', undefined, 'forbid', 'Forbidden'],
    ['the Job', 143, 'forbid', 'KnownUnclean'],
    ['a Job that cannot be read', undefined, 'forbid', 'Forbidden'],
    ['another owner', undefined, 'forbid', 'Forbidden'],
    ['the Job', undefined, 'forbid', 'Forbidden'],
    ['a Job that cannot be read', 143, 'forbid', 'KnownUnclean'],
    ['another owner', 143, 'forbid', 'KnownUnclean'],
  ])('%s, with the exit code %s and --unclean-exit=%s, is %s', (stake, exitCode, mode, expected) => {
    expect(clearanceOf(stake, exitCode, mode)).toBe(expected);
  });
});

describe('in a pod of which a sidecar has crashed', () => {
  const crashed = (exitCode: number, more: Partial<PodView> = {}) =>
    stuck({
      annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,shipper' },
      containers: [
        container('main', exited()),
        container('shipper', exited(exitCode)),
        container('sidecar', running),
      ],
      ...more,
    });
  const clearance = (of: Candidate, mode: UncleanExit) =>
    withClearance(step(15, { exitCode: 0 }), ['sidecar'], { candidate: of, job: jobFacts(), mode }).clearance;

  it('no step is sent, because the pod fails then', () => {
    expect(clearance(crashed(137), 'forbid')).toBe('AlreadyUnclean');
  });

  it.each<readonly [title: string, of: Candidate, mode: UncleanExit]>([
    ['if it had ended with 0', crashed(0), 'forbid'],
    ['if it is started again', crashed(137, { restartPolicy: 'OnFailure' }), 'forbid'],
    ['if that costs nothing', crashed(137, { owner: undefined }), 'forbid'],
    ['if the operator takes the risk', crashed(137), 'allow'],
  ])('a step is sent %s', (_title, of, mode) => {
    expect(clearance(of, mode)).toBe('Free');
  });
});

describe('in a workflow, what Argo itself would do', () => {
  const owner = { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'w' };
  const workflow = stuck({ owner, argo: { mains: ['main'] } });
  const clearance = (
    source: StepSource,
    mode: UncleanExit,
    { exitCode, of = workflow, job }: { exitCode?: number; of?: Candidate; job?: JobFacts } = {},
  ) => withClearance(step(15, { exitCode, source }), ['sidecar'], { candidate: of, job, mode }).clearance;
  const argos = { kind: 'Annotation', key: 'workflows.argoproj.io/kill-cmd-sidecar' } as const;
  const ours = { kind: 'Annotation', key: 'sidecar-sweeper.dev/kill-cmd-sidecar' } as const;

  it('is free', () => {
    expect(clearance(argos, 'forbid')).toBe('Free');
    expect(clearance(argos, 'forbid', { exitCode: 1 })).toBe('Free');
  });

  it('is its default signals as well', () => {
    const signal = withClearance(steps.Signal, ['sidecar'], {
      candidate: workflow,
      job: undefined,
      mode: 'forbid',
    });
    expect(signal.clearance).toBe('Free');
  });

  it('is no licence for anything else', () => {
    expect(clearance(ours, 'forbid')).toBe('Forbidden');
    expect(clearance({ kind: 'Default' }, 'forbid')).toBe('Forbidden');
    expect(clearance({ kind: 'Default' }, 'forbid', { exitCode: 1 })).toBe('KnownUnclean');
    expect(clearance({ kind: 'Default' }, 'forbid', { exitCode: 143 })).toBe('Free');
    expect(clearance({ kind: 'Default' }, 'forbid', { exitCode: 137 })).toBe('Free');
  });

  it('does not ignore the end of the whole pod, whatever its code', () => {
    const evict = withClearance({ ...steps.Evict, exitCode: 137 }, ['sidecar'], {
      candidate: workflow,
      job: undefined,
      mode: 'forbid',
    });
    expect(evict.clearance).toBe('KnownUnclean');
  });

  it('is no licence in a Job’s pod that bears Argo’s annotation', () => {
    expect(clearance(argos, 'forbid', { of: stuck(), job: jobFacts() })).toBe('Forbidden');
  });
});

describe('the worst cost', () => {
  const failureRules = [
    onExitCodes('FailJob', [143], { container: 'b' }),
    onExitCodes('Ignore', [143], { container: 'a' }),
  ];
  const at = { candidate: stuck(), job: jobFacts({ failureRules }) };

  it('is that of the container that costs most', () => {
    expect(worstCost(['a'], { exitCode: 143 }, at)).toEqual({ kind: 'AnotherRun' });
    expect(worstCost(['a', 'b'], { exitCode: 143 }, at)).toEqual({ kind: 'Job', because: 'FailurePolicy' });
    expect(worstCost(['a', 'b'], { exitCode: 1 }, at)).toEqual({ kind: 'AnotherRun' });
    expect(worstCost(['b'], { exitCode: undefined }, at)).toEqual({ kind: 'Job', because: 'FailurePolicy' });
    expect(worstCost([], { exitCode: 143 }, at)).toEqual({ kind: 'Nothing' });
  });

  it('decides about a step that ends several containers', () => {
    const plain = step(15);
    const clean = { ...at, job: { kind: 'Gone' } } as const;
    expect(withClearance(plain, ['a'], { ...clean, mode: 'forbid' }).clearance).toBe('Free');
    expect(withClearance(plain, ['a', 'b'], { ...at, mode: 'forbid' }).clearance).toBe('Forbidden');
  });
});

it.each<readonly [Clearance, boolean]>([
  ['Free', true],
  ['KnownUnclean', false],
  ['Forbidden', false],
])('%s: is the step expected to be sent? %s', (clearance, expected) => {
  expect(isCleared({ ...steps.Signal, clearance })).toBe(expected);
});
