import { describe, expect, it } from 'vitest';
import { recheckAndSend } from '../../../src/apply/send.ts';
import type { Taken } from '../../../src/apply/taken.ts';
import type { Watched } from '../../../src/apply/wait/observation.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import type { Exclusion } from '../../../src/model/verdict.ts';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import { now, running, waiting } from '../../builders/pod-view.ts';
import { ask, deletePod, podOfTwo, Stage, swap } from './stage.ts';

const watched: Watched = { container: 'sidecar', containerId: 'containerd://sidecar-0' };
const a: Watched = { container: 'a', containerId: 'containerd://a-0' };
const b: Watched = { container: 'b', containerId: 'containerd://b-0' };

function send(
  stage: Stage,
  step: PlannedStep = ask('term'),
  to: readonly Watched[] = [watched],
): Promise<Taken> {
  return stage.finish(recheckAndSend(stage.podPlan, to, step, stage.context));
}

/** That nothing was sent because the pod is no longer stuck. */
function noLongerStuck(...because: readonly Exclusion[]): Taken {
  const reason = { kind: 'NoLongerCandidate', because } as const;
  return { kind: 'Withheld', outcome: { kind: 'Skipped', reason } };
}

describe('a step is sent', () => {
  it('by a read that is fresh: not by one that was answered before the process was suspended', async () => {
    const stage = new Stage();
    const { readPod } = stage.options.cluster;
    const cluster = {
      ...stage.options.cluster,
      async readPod(...asked: Parameters<typeof readPod>) {
        const reading = await readPod(...asked);
        if (stage.reads > 1) return reading;
        await stage.clock.sleep(60_000, stage.context.stop);
        stage.end('sidecar');
        return reading;
      },
    };
    const work = recheckAndSend(stage.podPlan, [watched], ask('term'), { ...stage.context, cluster });
    expect(await stage.finish(work)).toMatchObject({ kind: 'Overtaken' });
    expect([stage.sent, stage.reads]).toEqual([[], 2]);
  });

  it('to the container, after one look at the pod', async () => {
    const stage = new Stage();
    const taken = await send(stage);
    expect(taken).toEqual({
      kind: 'Attempted',
      attempt: { step: ask('term'), sentAt: now, duration: 0, result: { kind: 'Accepted' } },
      watched: [watched],
      reading: undefined,
    });
    expect(stage.sent).toEqual(['term sidecar']);
    expect(stage.reads).toBe(1);
  });

  it('and the time is that of the request, without the look before', async () => {
    const stage = new Stage({
      asked: async () => {
        await stage.clock.sleep(300, stage.context.stop);
        return { kind: 'Unconfirmed', message: 'the connection ended' };
      },
    });
    const { readPod } = stage.options.cluster;
    const cluster = {
      ...stage.options.cluster,
      async readPod(...asked: Parameters<typeof readPod>) {
        await stage.clock.sleep(2_000, stage.context.stop);
        return readPod(...asked);
      },
    };
    const work = recheckAndSend(stage.podPlan, [watched], ask('term'), { ...stage.context, cluster });
    expect(await stage.finish(work)).toMatchObject({
      attempt: { sentAt: now + 2_000, duration: 300, result: { kind: 'Unconfirmed' } },
    });
  });

  it('to all sidecars of the pod that are left, by one request', async () => {
    const stage = new Stage({ pod: podOfTwo() });
    expect(await send(stage, swap, [a, b])).toMatchObject({
      kind: 'Attempted',
      watched: [
        { ...a, swappedFor: 'noop:1' },
        { ...b, swappedFor: 'noop:1' },
      ],
    });
    expect(stage.sent).toEqual(['swap a for noop:1, swap b for noop:1']);
  });

  it('only to those that still run', async () => {
    const stage = new Stage({ pod: podOfTwo() });
    stage.end('a');
    expect(await send(stage, swap, [a, b])).toMatchObject({
      kind: 'Attempted',
      watched: [{ ...b, swappedFor: 'noop:1' }],
    });
    expect(stage.sent).toEqual(['swap b for noop:1']);
  });

  it('and an image that was put in the place of one before is forgotten', async () => {
    const stage = new Stage();
    const taken = await send(stage, deletePod, [{ ...watched, swappedFor: 'noop:1' }]);
    expect(taken).toMatchObject({ watched: [{ ...watched, swappedFor: undefined }] });
  });
});

describe('nothing is sent', () => {
  it.each<readonly [title: string, reading: PodReading]>([
    ['to a pod that is gone', { kind: 'Gone' }],
    ['to another pod of the name', { kind: 'Replaced', uid: 'uid-2' }],
  ])('%s', async (_title, reading) => {
    const stage = new Stage();
    stage.shown = reading;
    expect(await send(stage)).toEqual({ kind: 'Overtaken', reading });
    expect(stage.sent).toEqual([]);
  });

  it('to a container that has ended', async () => {
    const stage = new Stage();
    stage.end('sidecar', 3);
    expect(await send(stage)).toMatchObject({ kind: 'Overtaken', reading: { kind: 'Present' } });
    expect(stage.sent).toEqual([]);
  });

  it('to another instance of the container than the one that was planned for', async () => {
    const stage = new Stage();
    stage.restart('sidecar');
    expect(await send(stage)).toMatchObject({ kind: 'Overtaken', reading: { kind: 'Present' } });
    expect(stage.sent).toEqual([]);
  });

  it('when the pod cannot be read, which counts as a step that did not arrive', async () => {
    const stage = new Stage({ pod: podOfTwo() });
    stage.shown = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer within 30s' } };
    const message = 'the pod could not be read before sending: no answer within 30s';
    expect(await send(stage, swap, [a, b])).toEqual({
      kind: 'Attempted',
      attempt: { step: swap, sentAt: now, duration: 0, result: { kind: 'Undelivered', message } },
      watched: [a, b],
      reading: undefined,
    });
    expect(stage.sent).toEqual([]);
  });

  it('when a main runs again', async () => {
    const stage = new Stage();
    stage.changeContainer('main', { state: running });
    expect(await send(stage)).toEqual(noLongerStuck({ kind: 'MainRunning', container: 'main' }));
    expect(stage.sent).toEqual([]);
  });

  it('when the pod is being deleted', async () => {
    const stage = new Stage();
    stage.change({ deleting: true });
    expect(await send(stage)).toEqual(noLongerStuck({ kind: 'BeingDeleted' }));
    expect(stage.sent).toEqual([]);
  });

  it('when the annotation that named the sidecar was taken away', async () => {
    const stage = new Stage();
    stage.change({ annotations: {} });
    const because = [{ kind: 'NoSidecar' }, { kind: 'MainRunning', container: 'sidecar' }] as const;
    expect(await send(stage)).toEqual(noLongerStuck(...because));
    expect(stage.sent).toEqual([]);
  });

  it('when another container waits to start for the first time', async () => {
    const stage = new Stage({ pod: podOfTwo() });
    stage.change({ phase: 'Pending' });
    stage.changeContainer('b', { state: waiting('ErrImagePull') });
    const { policy } = stage.context;
    const context = {
      ...stage.context,
      policy: { ...policy, scope: { ...policy.scope, includePending: true } },
    };
    const taken = await stage.finish(recheckAndSend(stage.podPlan, [a], ask('term'), context));
    expect(taken).toEqual(noLongerStuck({ kind: 'NotRunning', phase: 'Pending' }));
    expect(stage.sent).toEqual([]);
  });

  it('when nobody can say whether the pod is stuck', async () => {
    const stage = new Stage();
    stage.change({ statusProblems: ['container main has no status'] });
    expect(await send(stage)).toEqual({
      kind: 'Withheld',
      outcome: {
        kind: 'Skipped',
        reason: { kind: 'Undecided', problem: 'container main has no status' },
      },
    });
    expect(stage.sent).toEqual([]);
  });
});

describe('when the sweep stops', () => {
  const stopped: Taken = { kind: 'Withheld', outcome: { kind: 'NotAttempted', reason: 'LockLost' } };

  it('nothing is sent, and nothing is read any more', async () => {
    const stage = new Stage();
    stage.stop('LockLost');
    expect(await send(stage)).toEqual(stopped);
    expect(stage.reads).toBe(0);
    expect(stage.sent).toEqual([]);
  });

  it('nothing is sent after the look at the pod', async () => {
    const stage = new Stage();
    const { readPod } = stage.options.cluster;
    const cluster = {
      ...stage.options.cluster,
      readPod(...asked: Parameters<typeof readPod>) {
        stage.stop('LockLost');
        return readPod(...asked);
      },
    };
    const work = recheckAndSend(stage.podPlan, [watched], ask('term'), { ...stage.context, cluster });
    expect(await stage.finish(work)).toEqual(stopped);
    expect(stage.sent).toEqual([]);
  });
});

it('an error on sending is unconfirmed: nobody knows whether the step arrived', async () => {
  const stage = new Stage();
  const broken = Object.defineProperty({ ...ask('term') }, 'command', {
    get() {
      throw new Error('out of paper');
    },
  });
  const work = recheckAndSend(stage.podPlan, [watched], broken, stage.context);
  const message = 'internal error while sending to demo/work-x2k9p: Error: out of paper';
  expect(await stage.finish(work)).toMatchObject({
    kind: 'Attempted',
    attempt: { result: { kind: 'Unconfirmed', message } },
  });
  expect(stage.heard).toMatchObject([{ kind: 'FaultFound' }]);
});
