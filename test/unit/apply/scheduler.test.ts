import { describe, expect, it } from 'vitest';
import type { PodView } from '../../../src/model/pod.ts';
import type { ExecResult, WriteResult } from '../../../src/model/ports.ts';
import type { Emit } from '../../../src/plan/sweep-event.ts';
import type { PlannedStep, PodPlan } from '../../../src/plan/sweep-plan.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { presentJob } from '../../builders/job.ts';
import { candidate, podPlan } from '../../builders/plan.ts';
import { now, podView } from '../../builders/pod-view.ts';
import { ask, asked, podOfTwo, quit, swap, term } from './driven-pod.ts';
import { podNamed, ran, Stage } from './stage.ts';

const silent: ExecResult = { kind: 'Undelivered', message: 'no result within 30s', silentNode: true };

/** A plan to send these steps to the sidecar of a pod. */
function planFor(pod: PodView, steps: readonly PlannedStep[] = [quit], more: Partial<PodPlan> = {}): PodPlan {
  return podPlan({ candidate: candidate(pod), targets: [asked(steps)], ...more });
}

/** A stage whose sidecars end with this code when they are asked to. */
function ending(exitCode: number, pods: readonly PodView[] = [podView()], job = presentJob()): Stage {
  const stage: Stage = new Stage({
    pods,
    job: () => job,
    asked: (_request, pod) => {
      stage.finishPod(pod, exitCode);
      return ran;
    },
  });
  return stage;
}

/** Ends the sidecar that is asked, and the pod once all of its sidecars have ended. */
function endAsked(stage: Stage, request: string, { ref: { uid } }: PodView): ExecResult {
  stage.end(request.split('/').at(-1), 0, uid);
  const isOver = stage.pod(uid).containers.every(({ state }) => state.kind === 'Terminated');
  if (isOver) stage.time.after(1_500, () => stage.change({ phase: 'Succeeded' }, uid));
  return ran;
}

const named = (count: number, more: (index: number) => Partial<PodView> = () => ({})) =>
  Array.from({ length: count }, (_, index) => podNamed(`p${index}`, more(index)));
const owner = { group: 'batch', kind: 'Job', name: 'work', uid: 'work' };

describe('what became of a pod is what a read shows', () => {
  it('when its phase has followed the end of the sidecar', async () => {
    const stage = ending(0, [podView()], presentJob({ complete: true }));
    await stage.apply([planFor(podView())]);
    const attempt = { step: quit, sentAt: now, duration: 0, result: { kind: 'Accepted' } };
    const stopped = { kind: 'Stopped', exitCode: 0 };
    expect(stage.conclusions).toEqual([
      {
        pod: podView().ref,
        targets: [{ container: 'sidecar', attempts: [attempt], outcome: stopped, endedAt: now }],
        outcome: { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } },
        mainFailed: false,
      },
    ]);
    expect([stage.warnings, stage.noted]).toEqual([[], []]);
  });

  it('of many pods, which are taken out of the plan as they begin', async () => {
    const pods = named(200);
    const stage = ending(0, pods);
    await stage.apply(
      pods.map((pod) => planFor(pod, [term])),
      { listed: 10_000 },
    );
    expect(stage.conclusions).toHaveLength(200);
    expect(stage.elapsed).toBeLessThan(30_000);
  });

  it('of many pods behind one fuse, which are not all asked for again after each end', async () => {
    const pods = named(200);
    const stage = ending(0, pods);
    await stage.apply(pods.map((pod) => planFor(pod)));
    expect(stage.conclusions).toHaveLength(200);
    expect(stage.slots.taken).toBeLessThan(200 * 8);
  });
});

describe('harm', () => {
  const warning = { kind: 'JobHarmed', namespace: 'demo', name: podView().ref.name, job: 'work' };

  it('is in the conclusion, in a warning, and noted for the next sweep', async () => {
    const stage = ending(143);
    await stage.apply([planFor(podView())]);
    const job = podView().owner;
    expect(stage.conclusions).toMatchObject([{ harm: { kind: 'RunsAgain', permitted: false, job } }]);
    expect(stage.warnings).toContainEqual({ ...warning, harm: 'RunsAgain' });
    expect(stage.noted).toContainEqual(
      expect.objectContaining({ kind: 'Harmed', job: 'work', harm: 'RunsAgain' }),
    );
    expect(stage.noted).toContainEqual(
      expect.objectContaining({ kind: 'Broken', namespace: 'demo', at: now + 500 }),
    );
  });

  it('is told as expected if the sweep stops before the Job has reacted', async () => {
    const stage: Stage = new Stage({
      job: () => presentJob(),
      asked: () => {
        stage.end('sidecar', 143);
        stage.time.after(700, () => stage.stop('Signal'));
        return ran;
      },
    });
    await stage.apply([planFor(podView())]);
    expect(stage.warnings).toContainEqual({ ...warning, harm: 'RunsAgain', expected: true });
    expect(stage.noted).toContainEqual(
      expect.objectContaining({ kind: 'Harmed', harm: 'RunsAgain', expected: true }),
    );
  });
});

describe('a sidecar that ends unclean long after its grace', () => {
  /** The first pod ends so late, and the second one so late with 0; steps are asked for by these plans. */
  function slow(at: number, other: number) {
    const pods = named(2);
    const ends = new Map<string, readonly [after: number, exitCode: number]>([
      ['p0', [at, 143]],
      ['p1', [other, 0]],
    ]);
    const stage: Stage = new Stage({
      pods,
      job: () => presentJob(),
      asked: (_request, pod) => {
        const [after, code] = ends.get(pod.ref.name) ?? [0, 0];
        stage.time.after(after, () => stage.finishPod(pod, code));
        return ran;
      },
    });
    return { pods, stage };
  }
  const patient = ask('quit', { exitCode: 0, grace: 120_000 });
  const harmed = { kind: 'RunsAgain', permitted: false };

  it('is harm as long as other pods are still swept, and no pod waits for it', async () => {
    const { pods, stage } = slow(60_000, 100_000);
    await stage.apply(pods.map((pod, index) => planFor(pod, [index === 0 ? quit : patient])));
    expect(stage.outcomes).toEqual(['p0 Ended', 'p1 Ended']);
    expect(stage.conclusions[0]).toMatchObject({ harm: harmed });
    expect(stage.noted).toContainEqual(expect.objectContaining({ kind: 'Broken', at: expect.any(Number) }));
    expect(stage.elapsed).toBeLessThan(110_000);
  });

  it('is harm if the last read shows it, also when the sweep stops', async () => {
    const { pods, stage } = slow(60_000, 600_000);
    const plans = pods.map((pod, index) => planFor(pod, [index === 0 ? quit : patient]));
    stage.time.after(62_000, () => stage.stop('Deadline'));
    await stage.apply(plans);
    expect(stage.conclusions.find(({ pod }) => pod.name === 'p0')).toMatchObject({ harm: harmed });
  });

  it('keeps the pods that come later from being sent the same', async () => {
    const { pods, stage } = slow(60_000, 100_000);
    const later = podNamed('p2');
    stage.pods.set('p2', later);
    await stage.apply([...pods, later].map((pod, index) => planFor(pod, [index === 0 ? quit : patient])));
    expect(stage.sent).toEqual(['quit p0/sidecar', 'quit p1/sidecar']);
    expect(stage.outcomes).toContain('p2 Blocked PromiseBroken');
  });

  it('is not waited for', async () => {
    const { pods, stage } = slow(300_000, 0);
    await stage.apply(pods.slice(0, 1).map((pod) => planFor(pod)));
    expect(stage.outcomes).toEqual(['p0 Stuck']);
    expect(stage.elapsed).toBeLessThan(30_000);
  });
});

describe('behind a fuse', () => {
  it('one pod goes first, then four, then all, and none that has its answer is waited for longer than its step', async () => {
    const pods = named(12);
    const counts: number[] = [];
    let inFlight = 0;
    const stage: Stage = new Stage({
      pods,
      slots: 20,
      asked: (_request, pod) => {
        counts.push(++inFlight);
        stage.time.after(1_000, () => {
          stage.finishPod(pod);
          inFlight--;
        });
        return ran;
      },
    });
    await stage.apply(pods.map((pod) => planFor(pod)));
    expect(counts[0]).toBe(1);
    expect(Math.max(...counts.slice(1, 5))).toBe(4);
    expect(stage.conclusions).toHaveLength(12);
  });

  it('nothing is sent after an unclean end', async () => {
    const pods = named(5);
    const stage = ending(143, pods);
    await stage.apply(pods.map((pod) => planFor(pod)));
    expect(stage.sent).toEqual(['quit p0/sidecar']);
    const blocked = ['p1', 'p2', 'p3', 'p4'].map((name) => `${name} Blocked PromiseBroken`);
    expect([...stage.outcomes].sort()).toEqual(['p0 Ended', ...blocked]);
  });

  it('work that would be lost goes last, and one that does not end holds nobody beyond its grace', async () => {
    const pods = named(3);
    const stage: Stage = new Stage({
      pods,
      asked: (request, pod) => {
        if (!request.includes('p2')) stage.finishPod(pod);
        return ran;
      },
    });
    const lost = { uncleanCost: { kind: 'Job', because: 'NoRetriesLeft' } } as const;
    const [first, ...others] = pods;
    await stage.apply([
      ...(first ? [planFor(first, [quit], lost)] : []),
      ...others.reverse().map((pod) => planFor(pod)),
    ]);
    expect(stage.sent).toEqual(['quit p2/sidecar', 'quit p1/sidecar', 'quit p0/sidecar']);
    expect([...stage.outcomes].sort()).toEqual(['p0 Ended', 'p1 Ended', 'p2 Stuck']);
  });

  it('a request that did not arrive gives its place to others until it is sent again', async () => {
    const pods = named(2);
    const results: ExecResult[] = [{ kind: 'Undelivered', message: 'refused' }];
    const stage: Stage = new Stage({
      pods,
      asked: (_request, pod) => {
        const result = results.shift();
        if (!result) stage.finishPod(pod);
        return result ?? ran;
      },
    });
    await stage.apply(pods.map((pod) => planFor(pod)));
    expect(stage.sent).toEqual(['quit p0/sidecar', 'quit p1/sidecar', 'quit p0/sidecar']);
  });

  it('what a pod that has begun asks for does not wait behind pods that wait for that one', async () => {
    const two = { ...podOfTwo(), ref: podNamed('p1').ref, owner };
    const pods = [podNamed('p0', { owner }), two, podNamed('p2', { owner })];
    const delays = [0, 0, 1_000];
    const stage: Stage = new Stage({
      pods,
      slots: 10,
      cluster: {
        // The second request of p1 comes to wait last.
        readJob: async () => {
          await stage.clock.sleep(delays.shift() ?? 0, stage.stopping.signal);
          return presentJob({ backoffLimit: 1 });
        },
      },
      asked: (request, pod) => endAsked(stage, request, pod),
    });
    await stage.apply(
      pods.map((pod) =>
        planFor(pod, [term], pod === two ? { targets: [asked([term], 'a'), asked([term], 'b')] } : {}),
      ),
    );
    expect(stage.outcomes).toEqual(['p0 Ended', 'p1 Ended', 'p2 Ended']);
  });
});

it('two pods of a Job whose room shrinks while both are under way do not wait for each other', async () => {
  const pods = ['p0', 'p1'].map((name) => ({ ...podOfTwo(), ref: podNamed(name).ref, owner }));
  let failedPods = 0;
  const missed = new Set(['term p0/b', 'term p1/b']);
  const stage: Stage = new Stage({
    pods,
    slots: 10,
    cluster: { readJob: async () => presentJob({ backoffLimit: 2, failedPods }) },
    asked: (request, pod) => {
      if (missed.delete(request)) {
        failedPods = 1;
        return { kind: 'Undelivered', message: 'refused' };
      }
      return endAsked(stage, request, pod);
    },
  });
  const targets = [asked([term], 'a'), asked([term], 'b')];
  await stage.apply(pods.map((pod) => planFor(pod, [], { targets })));
  expect(stage.outcomes).toEqual(['p0 Ended', 'p1 Ended']);
});

describe('through one node', () => {
  it('a single request goes until it has answered, and none after it did not for three pods', async () => {
    const pods = named(6);
    const times: number[] = [];
    const stage: Stage = new Stage({
      pods,
      slots: 10,
      asked: async () => {
        times.push(stage.elapsed);
        await stage.clock.sleep(30_000, stage.stopping.signal);
        return silent;
      },
    });
    await stage.apply(pods.map((pod) => planFor(pod, [term])));
    expect(times).toEqual([0, 30_000, 60_000]);
    expect(stage.outcomes.filter((one) => one.endsWith('NotAttempted NodeUnreachable'))).toHaveLength(3);
  });

  it('at most four requests go at once, and others are sent through other nodes', async () => {
    const pods = named(20, (index) => ({ node: index < 15 ? 'a' : `n${index}` }));
    const inFlight = { all: 0, ofA: 0 };
    const most = { all: 0, ofA: 0 };
    const go = ({ node }: PodView, by: 1 | -1) => {
      inFlight.all += by;
      if (node === 'a') inFlight.ofA += by;
      most.all = Math.max(most.all, inFlight.all);
      most.ofA = Math.max(most.ofA, inFlight.ofA);
    };
    const stage: Stage = new Stage({
      pods,
      slots: 20,
      asked: async (_request, pod) => {
        go(pod, 1);
        await stage.clock.sleep(1_000, stage.stopping.signal);
        go(pod, -1);
        stage.finishPod(pod);
        return ran;
      },
    });
    await stage.apply(pods.map((pod) => planFor(pod, [term])));
    expect(most.ofA).toBe(4);
    expect(most.all).toBeGreaterThan(4);
    expect(stage.conclusions).toHaveLength(20);
  });

  it('requests to silent nodes give their slots back, as many as there are slots', async () => {
    const pods = named(6, (index) => ({ node: `n${index}` }));
    const times: Record<string, number> = {};
    const stage: Stage = new Stage({
      pods,
      slots: 2,
      asked: async (request, pod) => {
        times[request] = stage.elapsed;
        const hangs = ['p0', 'p1', 'p2'].includes(pod.ref.name);
        if (!hangs) stage.finishPod(pod);
        await stage.clock.sleep(hangs ? 30_000 : 0, stage.stopping.signal);
        return hangs ? silent : ran;
      },
    });
    await stage.apply(pods.map((pod) => planFor(pod, [term])));
    expect(times['term p5/sidecar']).toBeLessThan(4_000);
  });
});

describe('a stop', () => {
  it('leaves all that wait behind a gate, and reads what was sent to', async () => {
    const pods = named(3);
    const stage: Stage = new Stage({ pods });
    stage.time.after(2_000, () => stage.stop('Deadline'));
    await stage.apply(pods.map((pod) => planFor(pod)));
    expect(stage.sent).toEqual(['quit p0/sidecar']);
    expect([...stage.outcomes].sort()).toEqual([
      'p0 Unproven',
      'p1 NotAttempted Deadline',
      'p2 NotAttempted Deadline',
    ]);
    expect(stage.elapsed).toBeLessThan(3_000);
  });

  it('before the beginning attempts nothing', async () => {
    const stage = new Stage();
    stage.stop('LockLost');
    await stage.apply([planFor(podView())]);
    expect([stage.outcomes, stage.sent, stage.reads]).toEqual([
      [`${podView().ref.name} NotAttempted LockLost`],
      [],
      0,
    ]);
  });

  it('cuts requests that hang 2 s later', async () => {
    const stage: Stage = new Stage({
      cluster: {
        exec: async (_ref, _name, _command, abort) => {
          await stage.clock.sleep(60_000, abort);
          return { kind: 'Unconfirmed', message: 'cut' };
        },
      },
    });
    stage.time.after(1_000, () => stage.stop('Signal'));
    await stage.apply([planFor(podView())]);
    expect(stage.elapsed).toBe(3_000);
  });
});

describe('a Job whose limit leaves no room for a swap', () => {
  const pod = podView({ restartPolicy: 'OnFailure' });
  const raising: PlannedStep = { ...swap, exitCode: 0, raisesLimit: true };
  const swapIn = (stage: Stage): WriteResult => {
    stage.changeContainer('sidecar', { image: 'noop:1', id: 'containerd://noop', restartCount: 1 });
    stage.finishPod(pod);
    return { kind: 'Written' };
  };
  const swept = async (
    results: readonly WriteResult['kind'][],
    step = raising,
    policy: Partial<Policy> = {},
  ) => {
    let limit = 0;
    const raises: object[] = [];
    const stage: Stage = new Stage({
      pods: [pod],
      policy,
      job: () => presentJob({ backoffLimit: limit }),
      written: () => swapIn(stage),
      cluster: {
        raiseBackoffLimit: async (_namespace, _owner, raise) => {
          raises.push(raise);
          const kind = results[raises.length - 1] ?? results.at(-1) ?? 'Written';
          if (kind === 'Written' || kind === 'Unconfirmed') limit = raise.to;
          return { kind, message: 'no', retryAfterMs: undefined };
        },
      },
    });
    await stage.apply([planFor(pod, [], { swap: step })]);
    return { stage, raises };
  };
  const unread = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } } as const;
  const once = { from: 0, to: 2 };
  const raised = { kind: 'BackoffLimitRaised', namespace: 'demo', job: 'work', ...once };

  it.each<readonly [string, readonly WriteResult['kind'][], number, boolean, object]>([
    ['gets a higher one', ['Written'], 1, true, {}],
    ['is told to have got one if only the answer was lost', ['Unconfirmed'], 1, true, { unconfirmed: true }],
    ['is read again if another client changed it', ['Conflict', 'Written'], 2, true, {}],
    ['is left alone if it is changed again and again', ['Conflict'], 4, false, {}],
    ['is left alone if that is refused', ['Refused'], 1, false, {}],
    ['is left alone if the API server rejects it', ['Rejected'], 1, false, {}],
    ['gets it later if the request did not arrive', ['Busy', 'Undelivered', 'Written'], 3, true, {}],
  ])('%s', async (_title, results, count, isSwapped, told) => {
    const { stage, raises } = await swept(results);
    expect(raises).toEqual(Array(count).fill(once));
    expect(stage.sent).toEqual(isSwapped ? ['swap sidecar for noop:1'] : []);
    expect(stage.warnings.filter(({ kind }) => kind === 'BackoffLimitRaised')).toEqual(
      isSwapped ? [{ ...raised, ...told }] : [],
    );
    if (!isSwapped) expect(stage.outcomes).toEqual([`${pod.ref.name} Blocked NoRoomInJob`]);
  });

  it('gets a higher one also where an unclean exit is allowed: the Job need not fail', async () => {
    const { stage, raises } = await swept(['Written'], raising, { uncleanExit: 'allow' });
    expect([raises, stage.sent]).toEqual([[once], ['swap sidecar for noop:1']]);
  });

  it.each(['readJob', 'listJobPods'] as const)(
    'is no reason to leave a pod alone if it merely could not be read: %s',
    async (method) => {
      let reads = 0;
      const stage: Stage = new Stage({
        pods: [pod],
        job: () => presentJob({ backoffLimit: 6 }),
        written: () => swapIn(stage),
      });
      const read: (...asked: never[]) => unknown = stage.cluster[method];
      const failsOnce = async (...asked: never[]) => (reads++ > 0 ? read(...asked) : unread);
      Object.assign(stage.cluster, { [method]: failsOnce });
      await stage.apply([planFor(pod, [], { swap: { ...swap, exitCode: 0 } })]);
      expect(stage.sent).toEqual(['swap sidecar for noop:1']);
    },
  );

  it('is left alone without being told to', async () => {
    const { stage, raises } = await swept(['Written'], { ...swap, exitCode: 0 });
    expect([raises, stage.sent]).toEqual([[], []]);
  });
});

describe('an error is the outcome of its own pod', () => {
  const pods = named(2);

  it.each([
    ['which is not proved if something was sent', 'StepSent', 'p0 Unproven'],
    ['which may have been concluded already', 'PodConcluded', 'p1 Stuck'],
  ] as const)('%s, and the others go on', async (_title, kind, outcome) => {
    const stage = new Stage({ pods });
    const emit: Emit = (event) => {
      const { pod } = event.kind === 'PodConcluded' ? event.conclusion : { pod: undefined, ...event };
      if (event.kind === kind && pod?.name === 'p0') throw new Error('out of paper');
      stage.heard.push(event);
    };
    await stage.apply(
      pods.map((pod) => planFor(pod)),
      { emit },
    );
    expect(stage.outcomes).toContain(outcome);
    expect(stage.outcomes).toContain('p1 Stuck');
  });

  it('which was not attempted if nothing was', async () => {
    const stage = new Stage({
      pods,
      cluster: {
        readPod: async () => {
          throw new Error('out of paper');
        },
      },
    });
    await stage.apply(pods.map((pod) => planFor(pod)));
    expect(stage.outcomes).toEqual(['p0 NotAttempted InternalError', 'p1 NotAttempted InternalError']);
    expect(stage.heard).toContainEqual(expect.objectContaining({ kind: 'FaultFound' }));
  });
});

it('a Job whose reads take too long to decide by is given up after some tries', async () => {
  const stage: Stage = new Stage({
    cluster: {
      readJob: async () => {
        await stage.clock.sleep(6_000, stage.stopping.signal);
        return presentJob();
      },
    },
  });
  await stage.apply([planFor(podView())]);
  expect(stage.sent).toEqual([]);
  expect(stage.conclusions).toMatchObject([
    { targets: [{ outcome: { kind: 'StillRunning', because: { kind: 'Undelivered' } } }] },
  ]);
});

it('a pod that was orphaned meanwhile is concluded by the Job that owned it', async () => {
  const stage: Stage = new Stage({
    asked: (_request, pod) => {
      stage.change({ owner: undefined });
      stage.finishPod(pod);
      return ran;
    },
  });
  await stage.apply([planFor(podView())]);
  expect(stage.conclusions).toMatchObject([{ outcome: { kind: 'Ended', job: { kind: 'Gone' } } }]);
});

it('a sidecar that seems to have outlived its steps is noted, because a kubelet that hangs may tell its end later', async () => {
  const stage = new Stage({});
  const pod = podView({ restartPolicy: 'OnFailure' });
  const uncleanCost = { kind: 'Job', because: 'NoRetriesLeft' } as const;
  await stage.apply([{ ...planFor(pod, [ask('slow')]), uncleanCost }]);
  expect(stage.outcomes).toEqual([`${pod.ref.name} Stuck`]);
  expect(stage.noted).toMatchObject([{ kind: 'Unseen', container: 'sidecar', harm: { kind: 'JobFailed' } }]);
  // The Job may fail later for another cause, so it is not read.
  expect(stage.noted).not.toMatchObject([{ harm: { uid: expect.anything() } }]);
  // Most of them have, so nothing is said.
  expect(stage.warnings).toEqual([]);
});

it('what was begun and may still work is noted, with its time', async () => {
  const slow = ask('slow', { grace: 3_600_000 });
  const stage = new Stage({ policy: { maxGrace: 20_000 } });
  await stage.apply([planFor(podView(), [slow])]);
  const due = now + 3_600_000;
  expect(stage.noted).toMatchObject([
    { kind: 'Begun', namespace: 'demo', at: now, due },
    { kind: 'Unseen', namespace: 'demo', pod: podView().ref.name },
  ]);
  expect(stage.outcomes).toEqual([`${podView().ref.name} Stuck`]);
  const { namespace, name } = podView().ref;
  expect(stage.warnings).toEqual([
    { kind: 'JobMayBeHarmed', namespace, name, job: 'work', harm: 'RunsAgain' },
    // There is no Lease to write it to.
    { kind: 'NotRemembered' },
  ]);
});
