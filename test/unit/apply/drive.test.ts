import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Course } from '../../../src/apply/course.ts';
import { drivePod } from '../../../src/apply/drive.ts';
import { limitWaits } from '../../../src/apply/wait/limit.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { Observation } from '../../../src/model/reading.ts';
import type { PlannedStep, PlannedTarget, PodPlan } from '../../../src/plan/sweep-plan.ts';
import { attemptResults, plannedTarget, podPlan, skippedTarget } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';
import { ask, deletePod, evict, podOfTwo, Stage, type StageOptions, swap } from './stage.ts';

/** The sidecar of the stage's pod, asked by these steps. */
function asked(steps: readonly PlannedStep[], container = 'sidecar'): PlannedTarget {
  return plannedTarget({ container, containerId: `containerd://${container}-0`, steps });
}

interface Driven extends StageOptions, Partial<Pick<PodPlan, 'swap' | 'swappable' | 'lastResort'>> {
  readonly targets: readonly PlannedTarget[];
}

/** A stage, and the work on its pod. */
function driving({ targets, lastResort, swap, swappable, ...options }: Driven) {
  const stage = new Stage(options);
  const more = { ...(lastResort && { lastResort }), ...(swap && { swap }), ...(swappable && { swappable }) };
  const drive = (): Promise<readonly Course[]> =>
    stage.finish(drivePod(podPlan({ targets, ...more }), stage.context));
  return { stage, drive };
}

function resultsOf({ attempts }: Course): readonly AttemptResult['kind'][] {
  return attempts.map(({ result }) => result.kind);
}

function observedIn(courses: readonly Course[]): readonly string[] {
  return courses.map((course) => (course.kind === 'Open' ? course.observation.kind : course.outcome.kind));
}

const two = { pod: podOfTwo(), targets: [asked([], 'a'), asked([], 'b')] } as const;
const termAndKill = [asked([ask('term'), ask('kill')])];

describe('while a sidecar runs, its own steps are taken one after the other:', () => {
  it('the next when the grace of the one before is over, and nothing after the last', async () => {
    const times: number[] = [];
    const { stage, drive } = driving({
      targets: termAndKill,
      asked: () => {
        times.push(stage.elapsed);
        return { kind: 'Accepted' };
      },
    });
    const [course] = await drive();
    expect(stage.sent).toEqual(['term sidecar', 'kill sidecar']);
    expect(times).toEqual([0, 5_000]);
    expect(course).toMatchObject({ kind: 'Open', observation: { kind: 'Running' } });
    expect(course?.attempts.map(({ step, sentAt }) => [step, sentAt])).toEqual([
      [ask('term'), now],
      [ask('kill'), now + 5_000],
    ]);
  });

  it('nothing follows the only step', async () => {
    const { stage, drive } = driving({ targets: [asked([ask('quit')])] });
    await drive();
    expect(stage.sent).toEqual(['quit sidecar']);
  });

  it.each([
    attemptResults.Accepted,
    attemptResults.Failed,
    attemptResults.Refused,
    attemptResults.NoSuchProgram,
    attemptResults.Unsupported,
    attemptResults.Immune,
  ])('KILL follows a TERM that was $kind', async (result) => {
    const answer = (request: string) => (request === 'term sidecar' ? result : attemptResults.Accepted);
    const targets = [asked([ask('term', {}, result.kind), ask('kill')])];
    const { stage, drive } = driving({ targets, asked: answer });
    const [course] = await drive();
    expect(course && resultsOf(course)).toEqual([result.kind, 'Accepted']);
    expect(stage.sent).toEqual(['term sidecar', 'kill sidecar']);
    // What cannot have worked is followed at once; after the last, the status may lag.
    expect(stage.elapsed).toBe(['Accepted', 'Failed'].includes(result.kind) ? 30_000 : 25_000);
  });

  it.each([
    attemptResults.Unconfirmed,
    attemptResults.NotThere,
    attemptResults.Busy,
    attemptResults.Undelivered,
  ])('nothing harsher follows a TERM that was $kind to the end', async (result) => {
    const { stage, drive } = driving({ targets: termAndKill, lastResort: [deletePod], asked: () => result });
    const [course] = await drive();
    expect(course?.attempts.every((each) => each.result.kind === result.kind)).toBe(true);
    expect(new Set(stage.sent)).toEqual(new Set(['term sidecar']));
  });

  it('past a TERM that nobody upgrades a connection for, no step that needs the same is tried, but others are', async () => {
    const refused = { ...attemptResults.Undelivered, noUpgrade: true } as const;
    const answer = (request: string) => (request === 'term sidecar' ? refused : attemptResults.Unsupported);
    const { stage, drive } = driving({
      targets: [asked([ask('term'), ask('kill'), ask('quit', {}, 'Unsupported')])],
      lastResort: [deletePod],
      asked: answer,
    });
    await drive();
    expect([...new Set(stage.sent)]).toEqual(['term sidecar', 'quit sidecar', 'delete']);
  });

  it('a step that is held is followed by the next', async () => {
    const held: PlannedStep = { ...ask('term'), blocked: 'KnownUnclean' };
    const { stage, drive } = driving({ targets: [asked([held, ask('kill')])] });
    const [course] = await drive();
    expect(course && resultsOf(course)).toEqual(['Blocked', 'Accepted']);
    expect(stage.sent).toEqual(['kill sidecar']);
  });

  it.each(['KnownUnclean', 'UnknownEnd'] as const)(
    'a KILL is held as the TERM before it (%s), although its own exit code would cost nothing',
    async (blocked) => {
      const held: PlannedStep = { ...ask('term'), blocked };
      const kill: PlannedStep = { ...ask('kill'), exitCode: 137 };
      const { stage, drive } = driving({ targets: [asked([held, kill])] });
      const [course] = await drive();
      expect(course?.attempts.map(({ step, result }) => [step, result])).toEqual([
        [held, { kind: 'Blocked', reason: blocked }],
        [kill, { kind: 'Blocked', reason: blocked }],
      ]);
      expect(stage.sent).toEqual([]);
    },
  );

  it('a KILL follows the TERM right before it, although an earlier signal was held', async () => {
    const held: PlannedStep = { ...ask('first'), blocked: 'KnownUnclean' };
    const kill: PlannedStep = { ...ask('kill'), exitCode: 137 };
    const { stage, drive } = driving({ targets: [asked([held, ask('term'), kill])] });
    await drive();
    expect(stage.sent).toEqual(['term sidecar', 'kill sidecar']);
  });

  it('whatever comes back, a step is only sent when all before it have been answered', async () => {
    const { Blocked: _, ...sendable } = attemptResults;
    const results = fc.constantFrom<AttemptResult[]>(...Object.values(sendable));
    const words = ['first', 'second', 'third'] as const;
    const unanswered = ['Unconfirmed', 'NotThere', 'Busy', 'Undelivered'];
    await fc.assert(
      fc.asyncProperty(fc.array(results, { maxLength: words.length }), async (ladder) => {
        const answers = new Map(ladder.map((result, index) => [`${words[index]} sidecar`, result]));
        const { stage, drive } = driving({
          targets: [asked(ladder.map(({ kind }, index) => ask(words[index] ?? 'third', {}, kind)))],
          lastResort: [deletePod],
          asked: (request) => answers.get(request) ?? attemptResults.Accepted,
        });
        await drive();
        const last = ladder.findIndex(({ kind }) => unanswered.includes(kind));
        const climbed = [...answers.keys()].slice(0, last < 0 ? ladder.length : last + 1);
        expect([...new Set(stage.sent)]).toEqual(last < 0 ? [...climbed, 'delete'] : climbed);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a status that lags is not a sidecar that runs:', () => {
  it('nothing harsher follows while one that was told to end may have ended', async () => {
    const { stage, drive } = driving({ targets: [asked([ask('term')])], lastResort: [swap, deletePod] });
    // Within the grace of the step, reported 10 s late.
    stage.after(14_000, () => stage.end('sidecar'));
    expect(observedIn(await drive())).toEqual(['Exited']);
    expect(stage.sent).toEqual(['term sidecar']);
    expect(stage.elapsed).toBe(14_000);
  });

  it('it is a last resort once no status can be that late', async () => {
    const { stage, drive } = driving({ targets: [asked([ask('term')])], lastResort: [deletePod] });
    stage.after(26_000, () => stage.end('sidecar'));
    await drive();
    expect(stage.sent).toEqual(['term sidecar', 'delete']);
  });

  it('one that has answered since is running, and nobody waits', async () => {
    const answer = (request: string) =>
      request === 'term sidecar' ? attemptResults.Accepted : attemptResults.Immune;
    const targets = [asked([ask('term'), ask('kill', {}, 'Immune')])];
    const { stage, drive } = driving({ targets, asked: answer });
    expect(observedIn(await drive())).toEqual(['Running']);
    expect(stage.elapsed).toBe(5_000);
  });

  it('the wait occupies no slot', async () => {
    const { stage, drive } = driving({ targets: [asked([ask('term')])], slots: 1 });
    let others = 0;
    stage.after(10_000, () => void stage.context.slots(async () => others++));
    stage.after(11_000, () => expect(others).toBe(1));
    await drive();
    expect([others, stage.elapsed]).toEqual([1, 25_000]);
  });
});

describe('when a sidecar does not run any more, or nobody can say', () => {
  const happen: Readonly<
    Record<Exclude<Observation['kind'], 'Running' | 'NotStarted'>, (stage: Stage) => void>
  > = {
    Exited: (stage) => stage.end('sidecar', 143),
    Restarted: (stage) => stage.restart('sidecar'),
    Gone: (stage) => {
      stage.shown = { kind: 'Gone' };
    },
    Replaced: (stage) => {
      stage.shown = { kind: 'Replaced', uid: 'uid-2' };
    },
    Unreadable: (stage) => stage.changeContainer('sidecar', { state: { kind: 'Unreported' } }),
  };

  it.each(Object.entries(happen))('%s: nothing more is sent', async (kind, happens) => {
    const { stage, drive } = driving({ targets: termAndKill });
    stage.after(500, () => happens(stage));
    expect(observedIn(await drive())).toEqual([kind]);
    expect(stage.sent).toEqual(['term sidecar']);
  });

  it.each(Object.entries(happen))('%s before the first step: nothing is sent', async (kind, happens) => {
    const { stage, drive } = driving({ targets: termAndKill });
    happens(stage);
    const courses = await drive();
    expect(observedIn(courses)).toEqual([kind]);
    expect(courses[0]?.attempts).toEqual([]);
    expect(stage.sent).toEqual([]);
  });

  it('nothing more is sent when the pod is no longer stuck', async () => {
    const { stage, drive } = driving({ targets: termAndKill, lastResort: [deletePod] });
    stage.after(500, () => stage.change({ deleting: true }));
    const because = [{ kind: 'BeingDeleted' }];
    expect(await drive()).toMatchObject([
      { kind: 'Closed', outcome: { kind: 'Skipped', reason: { kind: 'NoLongerCandidate', because } } },
    ]);
    expect(stage.sent).toEqual(['term sidecar']);
  });
});

describe('when the sweep stops', () => {
  it('before the first step, nothing was attempted', async () => {
    const { stage, drive } = driving({ targets: termAndKill, lastResort: [deletePod] });
    stage.stop('Deadline');
    expect(await drive()).toEqual([
      {
        kind: 'Closed',
        container: 'sidecar',
        attempts: [],
        outcome: { kind: 'NotAttempted', reason: 'Deadline' },
      },
    ]);
    expect(stage.sent).toEqual([]);
  });

  it('between two steps, a read has yet to show what became of the first', async () => {
    const { stage, drive } = driving({ targets: termAndKill, lastResort: [deletePod] });
    stage.after(2_500, () => stage.stop('Deadline'));
    const [course] = await drive();
    expect(course).toMatchObject({ kind: 'Open', attempts: [{ step: ask('term') }] });
    expect(stage.sent).toEqual(['term sidecar']);
  });

  it('between two steps for the whole pod, the next is not sent', async () => {
    const { stage, drive } = driving({ ...two, lastResort: [evict, deletePod] });
    stage.after(2_500, () => stage.stop('Signal'));
    expect((await drive()).map(resultsOf)).toEqual([['Accepted'], ['Accepted']]);
    expect(stage.sent).toEqual(['evict']);
  });
});

describe('the sidecars of a pod', () => {
  it('are asked side by side', async () => {
    const targets = [asked([ask('term'), ask('kill')], 'a'), asked([ask('quit')], 'b')];
    const { stage, drive } = driving({ ...two, targets });
    stage.after(500, () => stage.end('b'));
    expect(observedIn(await drive())).toEqual(['Running', 'Exited']);
    expect(stage.sent).toEqual(['term a', 'quit b', 'kill a']);
  });

  it('that are skipped are left alone', async () => {
    const stage = new Stage({ pod: podOfTwo() });
    const targets = [skippedTarget('a'), asked([ask('term')], 'b')];
    const plan = podPlan({ targets, lastResort: [swap] });
    const [a, b] = await stage.finish(drivePod(plan, stage.context));
    const { outcome } = skippedTarget();
    expect(a).toEqual({ kind: 'Closed', container: 'a', attempts: [], outcome });
    expect(b && resultsOf(b)).toEqual(['Accepted', 'Accepted']);
    expect(stage.sent).toEqual(['term b', 'swap b for noop:1']);
  });
});

describe('the last resort', () => {
  it('is for the sidecars that outlived their own steps, by one request', async () => {
    const targets = [asked([ask('term')], 'a'), asked([ask('term')], 'b')];
    const { stage, drive } = driving({ ...two, targets, lastResort: [swap] });
    const courses = await drive();
    expect(stage.sent).toEqual(['term a', 'term b', 'swap a for noop:1, swap b for noop:1']);
    expect(courses.map(({ attempts }) => attempts.map(({ step }) => step.method))).toEqual([
      ['Command', 'ImageSwap'],
      ['Command', 'ImageSwap'],
    ]);
    expect(courses).toMatchObject([
      { watched: { container: 'a', swappedFor: 'noop:1' } },
      { watched: { container: 'b', swappedFor: 'noop:1' } },
    ]);
  });

  it('is for nobody when all have ended', async () => {
    const { stage, drive } = driving({ targets: termAndKill, lastResort: [swap] });
    stage.after(500, () => stage.end('sidecar'));
    await drive();
    expect(stage.sent).toEqual(['term sidecar']);
  });

  it('is not for a sidecar that has ended beside one that has not', async () => {
    const targets = [asked([ask('term')], 'a'), asked([ask('term')], 'b')];
    const { stage, drive } = driving({ ...two, targets, lastResort: [swap] });
    stage.after(500, () => stage.end('a'));
    const [a, b] = await drive();
    expect(stage.sent).toEqual(['term a', 'term b', 'swap b for noop:1']);
    expect([a, b].map((course) => course && resultsOf(course))).toEqual([
      ['Accepted'],
      ['Accepted', 'Accepted'],
    ]);
  });

  it('goes on to the next step while a sidecar is left, and no further', async () => {
    const { stage, drive } = driving({ ...two, lastResort: [evict, deletePod, swap] });
    stage.after(500, () => stage.end('b'));
    stage.after(25_500, () => stage.end('a'));
    const [a, b] = await drive();
    expect(stage.sent).toEqual(['evict', 'delete']);
    expect([a, b].map((course) => course?.attempts.length)).toEqual([2, 1]);
    expect(stage.elapsed).toBe(26_000);
  });

  it.each([
    { kind: 'Rejected', message: 'not so' },
    { kind: 'Refused', message: 'pods is forbidden' },
  ] as const)('goes on when a request was $kind', async (result) => {
    const { stage, drive } = driving({ ...two, lastResort: [evict, deletePod], written: () => result });
    await drive();
    expect(stage.sent).toEqual(['evict', 'delete']);
  });

  it('goes no further while it is unknown whether a request arrived', async () => {
    const unconfirmed = { kind: 'Unconfirmed', message: 'the connection ended' } as const;
    const { stage, drive } = driving({ ...two, lastResort: [evict, deletePod], written: () => unconfirmed });
    expect((await drive()).map(resultsOf)).toEqual([
      Array.from({ length: 4 }, () => 'Unconfirmed'),
      Array.from({ length: 4 }, () => 'Unconfirmed'),
    ]);
    expect(stage.sent).toEqual(['evict', 'evict', 'evict', 'evict']);
  });

  it('is not reached while one of the sidecars could not be asked', async () => {
    const targets = [asked([ask('term')], 'a'), asked([ask('quit')], 'b')];
    const answer = (request: string) =>
      request === 'quit b' ? attemptResults.Undelivered : attemptResults.Accepted;
    const { stage, drive } = driving({ ...two, targets, lastResort: [swap], asked: answer });
    await drive();
    expect(new Set(stage.sent)).toEqual(new Set(['term a', 'quit b']));
  });

  it('goes on when a step was held', async () => {
    const held: PlannedStep = { ...evict, blocked: 'UnknownEnd' };
    const { stage, drive } = driving({ ...two, lastResort: [held, deletePod] });
    expect((await drive()).map(resultsOf)).toEqual([
      ['Blocked', 'Accepted'],
      ['Blocked', 'Accepted'],
    ]);
    expect(stage.sent).toEqual(['delete']);
  });

  it.each([
    { kind: 'Undelivered', message: 'connection refused' },
    { kind: 'Conflict', message: 'the uid is another one' },
  ] as const)('ends with a request that did not arrive ($kind): nothing harsher follows', async (result) => {
    const { stage, drive } = driving({ ...two, lastResort: [evict, deletePod], written: () => result });
    expect((await drive()).map(resultsOf)).toEqual([['Undelivered'], ['Undelivered']]);
    expect(new Set(stage.sent)).toEqual(new Set(['evict']));
  });

  it('ends when the pod cannot be read', async () => {
    const { stage, drive } = driving({ ...two, lastResort: [evict, deletePod] });
    stage.shown = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } };
    expect((await drive()).map(resultsOf)).toEqual([['Undelivered'], ['Undelivered']]);
    expect(stage.sent).toEqual([]);
  });

  it('ends when the pod is gone', async () => {
    const { stage, drive } = driving({ ...two, lastResort: [evict, deletePod] });
    stage.shown = { kind: 'Gone' };
    expect(observedIn(await drive())).toEqual(['Gone', 'Gone']);
    expect(stage.sent).toEqual([]);
  });

  it('does not follow a swap whose image does not start', async () => {
    const { stage, drive } = driving({ targets: [asked([])], lastResort: [swap, deletePod] });
    stage.after(500, () => {
      stage.changeContainer('sidecar', {
        image: 'noop:1',
        state: { kind: 'Waiting', reason: 'ErrImagePull' },
      });
    });
    expect(observedIn(await drive())).toEqual(['NotStarted']);
    expect(stage.sent).toEqual(['swap sidecar for noop:1']);
  });

  it('is for a sidecar that ended and was restarted as well, and watches the new instance', async () => {
    const { stage, drive } = driving({ targets: [asked([ask('term')])], lastResort: [swap] });
    stage.after(500, () => stage.restart('sidecar'));
    const [course] = await drive();
    expect(stage.sent).toEqual(['term sidecar', 'swap sidecar for noop:1']);
    expect(course).toMatchObject({
      watched: { container: 'sidecar', containerId: 'containerd://sidecar-1', swappedFor: 'noop:1' },
      observation: { kind: 'Running' },
    });
  });

  it('leaves what became of earlier steps to a read when the pod is no longer stuck', async () => {
    const { stage, drive } = driving({ targets: [asked([ask('term')])], lastResort: [evict] });
    stage.after(4_500, () => stage.change({ deleting: true }));
    expect(await drive()).toMatchObject([{ kind: 'Open', attempts: [{ step: ask('term') }] }]);
    expect(stage.sent).toEqual(['term sidecar']);
  });
});

describe('where an image swap is allowed before uncertain steps,', () => {
  const quitThenTerm = (container = 'sidecar') =>
    plannedTarget({
      container,
      containerId: `containerd://${container}-0`,
      steps: [ask('quit')],
      uncertain: [ask('term')],
    });

  it('a sidecar that ends by a certain step is not swapped', async () => {
    const { stage, drive } = driving({ targets: [quitThenTerm()], swap });
    stage.after(500, () => stage.end('sidecar'));
    await drive();
    expect(stage.sent).toEqual(['quit sidecar']);
  });

  it('one request swaps those that are left, and nothing uncertain is sent', async () => {
    const targets = [quitThenTerm('a'), quitThenTerm('b')];
    const { stage, drive } = driving({ pod: podOfTwo(), targets, swap, lastResort: [deletePod] });
    stage.after(500, () => stage.end('b'));
    await drive();
    expect(stage.sent).toEqual(['quit a', 'quit b', 'swap a for noop:1']);
  });

  it('what the API server refuses to swap is asked to end otherwise', async () => {
    const written = () => ({ kind: 'Rejected', message: 'denied by a policy' }) as const;
    const { stage, drive } = driving({ targets: [quitThenTerm()], swap, written });
    await drive();
    expect(stage.sent).toEqual(['quit sidecar', 'swap sidecar for noop:1', 'term sidecar']);
  });

  it('a sidecar whose image cannot be swapped is left out', async () => {
    const targets = [quitThenTerm('a'), quitThenTerm('b')];
    const swappable = [{ container: 'b', image: undefined }];
    const { stage, drive } = driving({ pod: podOfTwo(), targets, swap, swappable });
    await drive();
    expect(stage.sent).toEqual(['quit a', 'quit b', 'swap b for noop:1', 'term a']);
  });

  it('the image that the API server made of it is what the container is compared with', async () => {
    const swappable = [{ container: 'sidecar', image: 'mirror/noop:1' }];
    const { stage, drive } = driving({ targets: [quitThenTerm()], swap, swappable });
    const [course] = await drive();
    expect(stage.sent.at(-1)).toBe('swap sidecar for noop:1');
    expect(course).toMatchObject({ watched: { swappedFor: 'mirror/noop:1' } });
  });
});

describe('a mesh proxy', () => {
  const app = asked([ask('quit'), ask('term')], 'a');
  const mesh = { ...asked([ask('quit'), ask('term')], 'b'), isMesh: true };

  it('is asked to end only after the other sidecars are seen gone', async () => {
    const { stage, drive } = driving({ pod: podOfTwo(), targets: [mesh, app] });
    stage.after(7_000, () => stage.end('a'));
    stage.after(12_000, () => stage.end('b'));
    await drive();
    expect(stage.sent).toEqual(['quit a', 'term a', 'quit b']);
  });

  it('is not asked while one of them is running', async () => {
    const { stage, drive } = driving({ pod: podOfTwo(), targets: [app, mesh] });
    const [, second] = await drive();
    expect(stage.sent).toEqual(['quit a', 'term a']);
    expect(second).toMatchObject({ kind: 'Open', attempts: [], observation: { kind: 'Running' } });
  });

  it('is swapped with all others by one request', async () => {
    const { stage, drive } = driving({ pod: podOfTwo(), targets: [app, mesh], swap });
    await drive();
    expect(stage.sent).toEqual(['quit a', 'term a', 'swap a for noop:1, swap b for noop:1']);
  });

  it('takes all of its own steps if the others end only by their uncertain ones', async () => {
    const targets = [
      { ...app, steps: [ask('quit')], uncertain: [ask('term')] },
      { ...mesh, steps: [ask('quit')], uncertain: [ask('term')] },
    ];
    const written = () => ({ kind: 'Rejected', message: 'denied by a policy' }) as const;
    const { stage, drive } = driving({ pod: podOfTwo(), targets, swap, written });
    stage.after(26_000, () => stage.end('a'));
    await drive();
    const swapped = 'swap a for noop:1, swap b for noop:1';
    expect(stage.sent).toEqual(['quit a', swapped, 'term a', 'quit b', 'term b']);
  });
});

describe('if the wait for a step is cut while it may still work', () => {
  const slow: PlannedStep = { ...ask('term'), grace: 3_600_000 };
  const drive = (stage: Stage, plan: Partial<PodPlan>) =>
    stage.finish(drivePod(podPlan(plan), limitWaits(stage.context, 20_000)));

  it.each<readonly [what: string, plan: Partial<PodPlan>]>([
    ['its own steps', { targets: [asked([slow, ask('kill')])] }],
    ['its uncertain steps', { targets: [{ ...asked([slow]), uncertain: [ask('third')] }] }],
    ['the steps for the pod', { targets: [asked([slow])], swap, lastResort: [evict] }],
  ])('none of %s follows', async (_what, plan) => {
    const stage = new Stage();
    const [course] = await drive(stage, plan);
    expect(stage.sent).toEqual(['term sidecar']);
    expect(stage.elapsed).toBe(20_000);
    expect(course?.attempts).toMatchObject([{ due: now + 3_600_000 }]);
  });

  it('the next follows if the sidecar ended or its time was over meanwhile', async () => {
    const stage = new Stage({ pod: podOfTwo() });
    stage.after(3_000, () => stage.end('a'));
    const targets = [asked([slow], 'a'), asked([ask('quit'), ask('kill')], 'b')];
    const [a, b] = await drive(stage, { targets });
    expect(new Set(stage.sent)).toEqual(new Set(['term a', 'quit b', 'kill b']));
    expect([a, b].flatMap((course) => course?.attempts.map(({ due }) => due))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
