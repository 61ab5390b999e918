import { describe, expect, it } from 'vitest';
import { recheckAndSend, type Sent } from '../../../src/apply/send.ts';
import type { Watched } from '../../../src/model/observation.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import type { Exclusion } from '../../../src/model/verdict.ts';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import { podPlan } from '../../builders/plan.ts';
import { now, running, waiting } from '../../builders/pod-view.ts';
import { deletePod, podOfTwo, swap, term } from './driven-pod.ts';
import { Stage } from './stage.ts';

const watched: Watched = { container: 'sidecar', containerId: 'containerd://sidecar-0' };
const a: Watched = { container: 'a', containerId: 'containerd://a-0' };
const b: Watched = { container: 'b', containerId: 'containerd://b-0' };

function send(stage: Stage, step: PlannedStep = term, to: readonly Watched[] = [watched]): Promise<Sent> {
  return stage.finish(recheckAndSend(podPlan(), to, step, stage.sendContext));
}

/** That nothing was sent because the pod is no longer stuck. */
function noLongerStuck(...because: readonly Exclusion[]): Sent {
  const reason = { kind: 'NoLongerCandidate', because } as const;
  return { kind: 'NotSent', outcome: { kind: 'Skipped', reason } };
}

describe('a step is sent', () => {
  it('by a read that is fresh: not by one that was answered before the process was suspended', async () => {
    const stage = new Stage();
    const { readPod } = stage.cluster;
    const cluster = {
      ...stage.cluster,
      async readPod(...asked: Parameters<typeof readPod>) {
        const reading = await readPod(...asked);
        if (stage.reads > 1) return reading;
        await stage.clock.sleep(60_000, stage.stopping.signal);
        stage.end('sidecar');
        return reading;
      },
    };
    const work = recheckAndSend(podPlan(), [watched], term, { ...stage.sendContext, cluster });
    expect(await stage.finish(work)).toMatchObject({ kind: 'AlreadyEnded' });
    expect([stage.sent, stage.reads]).toEqual([[], 2]);
  });

  it('to the container, after one look at the pod', async () => {
    const stage = new Stage();
    const taken = await send(stage);
    expect(taken).toEqual({
      kind: 'Attempted',
      attempt: { step: term, sentAt: now, duration: 0, result: { kind: 'Accepted' } },
      watched: [watched],
    });
    expect(stage.sent).toEqual(['term sidecar']);
    expect(stage.reads).toBe(1);
  });

  it('and the time is that of the request, without the look before', async () => {
    const stage = new Stage({
      asked: async () => {
        await stage.clock.sleep(300, stage.stopping.signal);
        return { kind: 'Unconfirmed', message: 'the connection ended' };
      },
    });
    const { readPod } = stage.cluster;
    const cluster = {
      ...stage.cluster,
      async readPod(...asked: Parameters<typeof readPod>) {
        await stage.clock.sleep(2_000, stage.stopping.signal);
        return readPod(...asked);
      },
    };
    const work = recheckAndSend(podPlan(), [watched], term, { ...stage.sendContext, cluster });
    expect(await stage.finish(work)).toMatchObject({
      attempt: { sentAt: now + 2_000, duration: 300, result: { kind: 'Unconfirmed' } },
    });
  });

  it('to all sidecars of the pod that are left, by one request', async () => {
    const stage = new Stage({ pods: [podOfTwo()] });
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
    const stage = new Stage({ pods: [podOfTwo()] });
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
    expect(await send(stage)).toEqual({ kind: 'AlreadyEnded', reading });
    expect(stage.sent).toEqual([]);
  });

  it('to a container that has ended', async () => {
    const stage = new Stage();
    stage.end('sidecar', 3);
    expect(await send(stage)).toMatchObject({ kind: 'AlreadyEnded', reading: { kind: 'Present' } });
    expect(stage.sent).toEqual([]);
  });

  it('to another instance of the container than the one that was planned for', async () => {
    const stage = new Stage();
    stage.changeContainer('sidecar', { id: 'containerd://sidecar-1', restartCount: 1 });
    expect(await send(stage)).toMatchObject({ kind: 'AlreadyEnded', reading: { kind: 'Present' } });
    expect(stage.sent).toEqual([]);
  });

  it('when the pod cannot be read, which counts as a step that did not arrive', async () => {
    const stage = new Stage({ pods: [podOfTwo()] });
    stage.shown = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer within 30s' } };
    const message = 'the pod could not be read before sending: no answer within 30s';
    expect(await send(stage, swap, [a, b])).toEqual({
      kind: 'Attempted',
      attempt: { step: swap, sentAt: now, duration: 0, result: { kind: 'Undelivered', message } },
      watched: [a, b],
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
    const stage = new Stage({ pods: [podOfTwo()] });
    stage.change({ phase: 'Pending' });
    stage.changeContainer('b', { state: waiting('ErrImagePull') });
    const { policy } = stage.sendContext;
    const context = {
      ...stage.sendContext,
      policy: { ...policy, scope: { ...policy.scope, includePending: true } },
    };
    const taken = await stage.finish(recheckAndSend(podPlan(), [a], term, context));
    expect(taken).toEqual(noLongerStuck({ kind: 'NotRunning', phase: 'Pending' }));
    expect(stage.sent).toEqual([]);
  });

  it('when it cannot be told whether the pod is stuck', async () => {
    const stage = new Stage();
    stage.change({ statusProblems: ['container main has no status'] });
    expect(await send(stage)).toEqual({
      kind: 'NotSent',
      outcome: {
        kind: 'Skipped',
        reason: { kind: 'Undecided', problem: 'container main has no status' },
      },
    });
    expect(stage.sent).toEqual([]);
  });
});

describe('when the sweep stops', () => {
  const stopped: Sent = { kind: 'NotSent', outcome: { kind: 'NotAttempted', reason: 'LockLost' } };

  it('nothing is sent, and nothing is read any more', async () => {
    const stage = new Stage();
    stage.stop('LockLost');
    expect(await send(stage)).toEqual(stopped);
    expect(stage.reads).toBe(0);
    expect(stage.sent).toEqual([]);
  });

  it('nothing is sent after the look at the pod', async () => {
    const stage = new Stage();
    const { readPod } = stage.cluster;
    const cluster = {
      ...stage.cluster,
      readPod(...asked: Parameters<typeof readPod>) {
        stage.stop('LockLost');
        return readPod(...asked);
      },
    };
    const work = recheckAndSend(podPlan(), [watched], term, { ...stage.sendContext, cluster });
    expect(await stage.finish(work)).toEqual(stopped);
    expect(stage.sent).toEqual([]);
  });
});

it('an error on sending is unconfirmed: the step may have arrived', async () => {
  const stage = new Stage();
  const broken = Object.defineProperty({ ...term }, 'command', {
    get() {
      throw new Error('out of paper');
    },
  });
  const work = recheckAndSend(podPlan(), [watched], broken, stage.sendContext);
  const message = 'internal error while sending to demo/work-x2k9p: Error: out of paper';
  expect(await stage.finish(work)).toMatchObject({
    kind: 'Attempted',
    attempt: { result: { kind: 'Unconfirmed', message } },
  });
  expect(stage.heard).toMatchObject([{ kind: 'FaultFound' }]);
});
