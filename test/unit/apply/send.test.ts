import { describe, expect, it } from 'vitest';
import { recheckAndSend, type Sent, stopReason, watchReach } from '../../../src/apply/send.ts';
import type { Watched } from '../../../src/model/observation.ts';
import type { Cluster, ExecResult, LogReading } from '../../../src/model/ports.ts';
import type { PodReading } from '../../../src/model/reading.ts';
import type { Exclusion } from '../../../src/model/verdict.ts';
import type { PlannedStep, PodPlan } from '../../../src/plan/sweep-plan.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { podPlan, steps } from '../../builders/plan.ts';
import { breaking, now, podView, running, waiting } from '../../builders/pod-view.ts';
import { deletePod, podOfTwo, swap, term } from './driven-pod.ts';
import { ran, Stage } from './stage.ts';

const watched: Watched = { container: 'sidecar', containerId: 'containerd://sidecar-0' };
const a: Watched = { container: 'a', containerId: 'containerd://a-0' };
const b: Watched = { container: 'b', containerId: 'containerd://b-0' };

function send(stage: Stage, step: PlannedStep = term, to: readonly Watched[] = [watched]): Promise<Sent> {
  return stage.finish(recheckAndSend(podPlan(), to, step, stage.sendContext, () => true));
}

/** That nothing was sent because the pod is no longer stuck. */
function noLongerStuck(...because: readonly Exclusion[]): Sent {
  const reason = { kind: 'NoLongerCandidate', because } as const;
  return { kind: 'NotSent', outcome: { kind: 'Skipped', reason } };
}

/** The same on a stage whose reads of pods are followed by this. */
function sendAfter(stage: Stage, followed: () => Promise<void>): Promise<Sent> {
  const readPod: Cluster['readPod'] = async (...asked) => {
    const reading = await stage.cluster.readPod(...asked);
    await followed();
    return reading;
  };
  const context = { ...stage.sendContext, cluster: { ...stage.cluster, readPod } };
  return stage.finish(recheckAndSend(podPlan(), [watched], term, context, () => true));
}

describe('a step is sent', () => {
  it('by a read that is fresh: not by one that was answered before the process was suspended', async () => {
    const stage = new Stage();
    const sent = await sendAfter(stage, async () => {
      if (stage.reads > 1) return;
      await stage.clock.sleep(60_000, stage.stopping.signal);
      stage.end('sidecar');
    });
    expect(sent).toMatchObject({ kind: 'AlreadyEnded' });
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
    const sent = await sendAfter(stage, () => stage.clock.sleep(2_000, stage.stopping.signal));
    expect(sent).toMatchObject({
      attempt: { sentAt: now + 2_000, duration: 300, result: { kind: 'Unconfirmed' } },
    });
  });

  it.each<readonly [string, ended: readonly string[], to: readonly Watched[], request: string]>([
    ['to all sidecars of the pod, by one request', [], [a, b], 'swap a for noop:1, swap b for noop:1'],
    ['only to those that still run', ['a'], [b], 'swap b for noop:1'],
  ])('%s', async (_title, ended, to, request) => {
    const stage = new Stage({ pods: [podOfTwo()] });
    for (const name of ended) stage.end(name);
    const expected = to.map((one) => ({ ...one, swappedFor: 'noop:1' }));
    expect(await send(stage, swap, [a, b])).toMatchObject({ kind: 'Attempted', watched: expected });
    expect(stage.sent).toEqual([request]);
  });

  // biome-ignore format: one row a line
  it.each<readonly [string, number, Partial<PodPlan>, Partial<Policy>, readonly string[]]>([
    ['not if another sidecar has ended unclean since: the pod fails when the last one ends', 143, {}, {}, []],
    ['if the other one has ended with 0', 0, {}, {}, ['term b']],
    ['if a failed pod costs nothing', 143, { uncleanCost: { kind: 'Nothing' } }, {}, ['term b']],
    ['if the operator takes the risk', 143, {}, { uncleanExit: 'allow' }, ['term b']],
  ])('%s', async (_title, exitCode, plan, policy, expected) => {
    const stage = new Stage({ pods: [podOfTwo()], policy });
    stage.end('a', exitCode);
    const sent = await stage.finish(recheckAndSend(podPlan(plan), [b], term, stage.sendContext, () => true));
    expect(stage.sent).toEqual(expected);
    const result =
      expected.length > 0 ? { kind: 'Accepted' } : { kind: 'Blocked', reason: 'AlreadyUnclean' };
    expect(sent).toMatchObject({ kind: 'Attempted', attempt: { result } });
  });

  it('and an image that was put in the place of one before is forgotten', async () => {
    const stage = new Stage();
    const taken = await send(stage, deletePod, [{ ...watched, swappedFor: 'noop:1' }]);
    expect(taken).toMatchObject({ watched: [{ ...watched, swappedFor: undefined }] });
  });
});

describe('nothing is sent', () => {
  const ended = { kind: 'AlreadyEnded', reading: { kind: 'Present' } };
  const unread: PodReading = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } };
  const forbidden: PodReading = { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no get' } };
  const message = 'the pod could not be read before sending: no answer';
  const undelivered = { step: term, sentAt: now, duration: 0, result: { kind: 'Undelivered', message } };
  const undecided = { kind: 'Undecided', problem: 'container main has no status' };
  const pending = (stage: Stage) => {
    stage.change({ phase: 'Pending' });
    stage.changeContainer('b', { state: waiting('ErrImagePull') });
  };
  const including: Partial<Policy> = {
    scope: { namespaces: [], labelSelector: undefined, includePending: true },
  };
  const shows = (reading: PodReading) => (stage: Stage) => {
    stage.shown = reading;
  };

  // biome-ignore format: one row a line
  it.each<readonly [string, (stage: Stage) => void, object]>([
    ['to a pod that is gone', shows({ kind: 'Gone' }), { kind: 'AlreadyEnded', reading: { kind: 'Gone' } }],
    ['to another pod of the name', shows({ kind: 'Replaced', uid: 'u' }), { kind: 'AlreadyEnded', reading: { kind: 'Replaced', uid: 'u' } }],
    ['to a pod that cannot be read, as if it had not arrived', shows(unread), { kind: 'Attempted', attempt: undelivered, watched: [a] }],
    ['to a pod that may not be read, whatever is tried', shows(forbidden), { kind: 'Attempted', attempt: { result: { kind: 'Refused' } } }],
    ['to a container that has ended', (stage) => stage.end('a', 3), ended],
    ['to another instance of the container', (stage) => stage.changeContainer('a', { id: 'containerd://a-1', restartCount: 1 }), ended],
    ['when a main runs again', (stage) => stage.changeContainer('main', { state: running }), noLongerStuck({ kind: 'MainRunning', container: 'main' })],
    ['when the pod is being deleted', (stage) => stage.change({ deleting: true }), noLongerStuck({ kind: 'BeingDeleted' })],
    ['when the annotation that names sidecars is gone', (stage) => stage.change({ annotations: {} }), noLongerStuck({ kind: 'NoSidecar' }, { kind: 'MainRunning', container: 'a' }, { kind: 'MainRunning', container: 'b' })],
    ['when another container waits to start for the first time', pending, noLongerStuck({ kind: 'NotRunning', phase: 'Pending' })],
    ['when it cannot be told whether the pod is stuck', (stage) => stage.change({ statusProblems: [undecided.problem] }), { kind: 'NotSent', outcome: { kind: 'Skipped', reason: undecided } }],
    ['when the sweep stops', (stage) => stage.stop('LockLost'), { kind: 'NotSent', outcome: { kind: 'NotAttempted', reason: 'LockLost' } }],
  ])('%s', async (_title, change, expected) => {
    const stage = new Stage({ pods: [podOfTwo()], policy: including });
    change(stage);
    expect(await send(stage, term, [a])).toMatchObject(expected);
    expect(stage.sent).toEqual([]);
  });

  it('after a stop that comes with the read', async () => {
    const stage: Stage = new Stage({
      cluster: {
        readPod: async () => {
          stage.stop('LockLost');
          return { kind: 'Present', pod: podView(), asOf: now };
        },
      },
    });
    expect(await send(stage)).toEqual({
      kind: 'NotSent',
      outcome: { kind: 'NotAttempted', reason: 'LockLost' },
    });
    expect(stage.sent).toEqual([]);
  });
});

it('what is about to change is told before it is done', async () => {
  const stage = new Stage();
  await stage.finish(recheckAndSend(podPlan(), [watched], term, stage.sendContext, () => true));
  const [pod, containers] = [podPlan().candidate.pod.ref, [watched.container]];
  expect(stage.heard).toEqual([{ kind: 'Acting', pod, containers, does: 'run term' }]);
});

it('an error on sending is unconfirmed: the step may have arrived', async () => {
  const stage = new Stage();
  const broken = breaking(steps.Command, 'command');
  const work = recheckAndSend(podPlan(), [watched], broken, stage.sendContext, () => true);
  const message = 'internal error while sending to demo/work-x2k9p: Error: out of paper';
  expect(await stage.finish(work)).toMatchObject({
    kind: 'Attempted',
    attempt: { result: { kind: 'Unconfirmed', message } },
  });
  expect(stage.heard).toMatchObject([{ kind: 'FaultFound' }]);
});

describe('the logs of a container whose image is swapped', () => {
  const answers: readonly LogReading[] = [
    { kind: 'Read', lines: ['one', 'two'] },
    { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'pods/log is forbidden' } },
  ];
  const kept = async (lines: number, step: PlannedStep) => {
    const asked: string[] = [];
    const readLog: Cluster['readLog'] = async (_ref, name, most) => {
      asked.push(`${name} ${most}`);
      return answers[asked.length - 1] ?? expect.fail('asked too often');
    };
    const stage = new Stage({ pods: [podOfTwo()], policy: { keepLogs: lines }, cluster: { readLog } });
    const sent = await send(stage, step, [a, b]);
    return { asked, logs: sent.kind === 'Attempted' ? sent.attempt.logs : undefined };
  };

  it('are kept, as many lines as the policy says, and it is said if they cannot be read', async () => {
    const { asked, logs } = await kept(20, swap);
    expect(asked).toEqual(['a 20', 'b 20']);
    expect([...(logs ?? [])]).toEqual([
      ['a', { lines: ['one', 'two'] }],
      ['b', { lines: [], problem: 'pods/log is forbidden' }],
    ]);
  });

  it('are not read if the policy does not say so, nor before another step', async () => {
    expect(await kept(0, swap)).toEqual({ asked: [], logs: undefined });
    expect(await kept(20, deletePod)).toEqual({ asked: [], logs: undefined });
  });
});

// biome-ignore format: one row a line
it.each<readonly [string, planned: string | undefined, answered: string | undefined, expected: string]>([
  ['what the API server makes of it', 'mirror/noop:1', undefined, 'mirror/noop:1'],
  ['what the API server’s answer to the swap itself names', undefined, 'mirror/noop:2', 'mirror/noop:2'],
  ['what that answer names, whatever it made of it before', 'mirror/noop:1', 'mirror/noop:2', 'mirror/noop:2'],
])('a swapped container is compared with %s', async (_title, planned, answered, expected) => {
  const images = (image: string | undefined) => image && { images: { sidecar: image } };
  const stage = new Stage({ written: () => ({ kind: 'Written', ...images(answered) }) });
  const step = { ...swap, ...images(planned) };
  const sent = await stage.finish(recheckAndSend(podPlan(), [watched], step, stage.sendContext, () => true));
  expect(sent).toMatchObject({ watched: [{ swappedFor: expected }] });
});

describe('whether a kubelet was reached', () => {
  it.each<readonly [string, boolean | undefined, ExecResult]>([
    ['it ran a command', true, ran],
    ['it found no program', true, { kind: 'NoSuchProgram', message: '' }],
    ['nothing came in time', false, { kind: 'Undelivered', message: '', silentNode: true }],
    ['nothing came in time after the request', false, { kind: 'Unconfirmed', message: '', silentNode: true }],
    ['the connection was refused', undefined, { kind: 'Undelivered', message: '' }],
    ['the connection broke', undefined, { kind: 'Unconfirmed', message: '' }],
    ['it may be the API server that says so', undefined, { kind: 'NotThere', message: '' }],
    ['it was refused', undefined, { kind: 'Refused', message: '' }],
    ['it was busy', undefined, { kind: 'Busy', message: '', retryAfterMs: undefined }],
  ])('is known from its answers: %s', async (_title, expected, result) => {
    const watching = watchReach(clusterWith({ exec: async () => result }));
    await watching.cluster.exec(podView().ref, 'sidecar', [], new AbortController().signal);
    expect(watching.reached()).toBe(expected);
  });

  it('is known from the last answer that tells', async () => {
    const { signal } = new AbortController();
    const logs: LogReading[] = [
      { kind: 'Unreadable', problem: { kind: 'TimedOut', message: '' } },
      { kind: 'Unreadable', problem: { kind: 'Forbidden', message: '' } },
      { kind: 'Read', lines: [] },
    ];
    const parts = {
      readLog: async () => logs.shift() ?? expect.fail('no more'),
      request: async () => ({ kind: 'Closed' }) as const,
    };
    const watching = watchReach(clusterWith(parts));
    expect(watching.reached()).toBeUndefined();
    const reached: (boolean | undefined)[] = [];
    for (let times = 0; times < 3; times++) {
      await watching.cluster.readLog(podView().ref, 'sidecar', 1, signal);
      reached.push(watching.reached());
    }
    expect(reached).toEqual([false, false, true]);
    const other = watchReach(clusterWith(parts));
    await other.cluster.request(podView().ref, steps.Http.request, signal);
    expect(other.reached()).toBe(true);
  });
});

it.each(['Deadline', 'LockLost', 'InternalError', 'Signal'] as const)(
  'a sweep stops for a reason: %s',
  (reason) => {
    expect(stopReason(AbortSignal.abort(reason))).toBe(reason);
    expect(stopReason(AbortSignal.abort())).toBe('Signal');
  },
);
