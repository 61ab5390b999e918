import { describe, expect, it } from 'vitest';
import { beginCourse, type OpenCourse, unprovenUntil } from '../../../src/apply/course.ts';
import { prove } from '../../../src/apply/prove.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { ExecResult } from '../../../src/model/ports.ts';
import type { Attempt } from '../../../src/plan/sweep-event.ts';
import { attempt, attemptResults, plannedTarget, steps } from '../../builders/plan.ts';
import { container, exited, now, podView, running } from '../../builders/pod-view.ts';
import { Stage } from './stage.ts';

const ran: ExecResult = { kind: 'Exited', exitCode: 0, output: '' };

/** A sidecar that was told to end, and what it answers to a command. */
function proving(attempts: readonly Attempt[], answer: ExecResult, pod: PodView = podView()) {
  const stage = new Stage({ pod });
  const commands: (readonly string[])[] = [];
  const exec = async (_pod: unknown, _container: string, command: readonly string[]) => {
    commands.push(command);
    return answer;
  };
  const context = { ...stage.context, cluster: { ...stage.context.cluster, exec } };
  const begun = beginCourse(plannedTarget({ containerId: 'containerd://sidecar-0' }));
  if (begun.kind !== 'Open') throw new Error('it is planned');
  const course: OpenCourse = { ...begun, attempts };
  return { stage, context, commands, course, proved: () => stage.finish(prove(course, pod, context)) };
}

const podWith = (sidecar: Partial<ContainerView>, pod: Partial<PodView> = {}) =>
  podView({ containers: [container('main', exited()), container('sidecar', running, sidecar)], ...pod });

describe('a sidecar that was told to end by a command', () => {
  const told = [attempt()];

  it.each<ExecResult>([ran, { kind: 'NoSuchProgram', message: 'stat /bin/sh: no such file' }])(
    'runs on if it runs another one ($kind), and nobody waits',
    async (answer) => {
      const { stage, commands, course, proved } = proving(told, answer);
      expect(await proved()).toEqual({ ...course, outlived: 1 });
      expect(unprovenUntil({ ...course, outlived: 1 })).toBe(Number.NEGATIVE_INFINITY);
      expect(commands).toEqual([['/bin/sh', '-c', ':']]);
      expect(stage.reads).toBe(0);
    },
  );

  it.each<ExecResult>([
    { kind: 'NotThere', message: 'container not found ("sidecar")' },
    { kind: 'Exited', exitCode: 137, output: '' },
    { kind: 'Busy', message: 'slow down', retryAfter: 1_000 },
    { kind: 'Unconfirmed', message: 'the connection ended' },
  ])('has the time that a status may lag if it does not ($kind)', async (answer) => {
    const { stage, proved } = proving(told, answer);
    stage.after(9_000, () => stage.end('sidecar'));
    expect(await proved()).toMatchObject({ observation: { kind: 'Exited', exitCode: 0 }, outlived: 0 });
    expect(stage.elapsed).toBe(9_000);
  });

  it.each<[string, PodView]>([
    ['its pod', podWith({}, { restartPolicy: 'OnFailure' })],
    ['its own policy', podWith({ restartPolicy: 'Always' })],
    ['a rule', podWith({ restartRules: [{ action: 'Restart', operator: 'In', exitCodes: [1] }] })],
  ])('is not asked if it may have been started again by %s', async (_title, pod) => {
    const { stage, commands, proved } = proving(told, ran, pod);
    await proved();
    expect(commands).toEqual([]);
    expect(stage.elapsed).toBe(51_000);
  });
});

it('no command is run in a sidecar that was asked otherwise', async () => {
  const { stage, commands, proved } = proving([{ ...attempt(), step: steps.Http }], ran);
  await proved();
  expect(commands).toEqual([]);
  expect(stage.elapsed).toBeGreaterThan(0);
});

it.each([
  ['nothing was sent', []],
  ['it has answered since', [attempt(), attempt(attemptResults.Immune)]],
  ['no kubelet can be that late', [{ ...attempt(), sentAt: now - 60_000 }]],
])('nothing is to be proved if %s', async (_title, attempts) => {
  const { stage, commands, course, proved } = proving(attempts, ran);
  expect(await proved()).toBe(course);
  expect([commands, stage.reads]).toEqual([[], 0]);
});
