import { describe, expect, it } from 'vitest';
import { Guard, type Permit } from '../../../src/apply/guard.ts';
import type {
  AttemptResult,
  Observation,
  PlannedTarget,
  Step,
  UncleanExit,
} from '../../../src/vocabulary.ts';
import { attempt, attemptResults, candidate, plannedTarget, step, steps } from '../../builders/plan.ts';

const clean: Observation = { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: undefined };
const unclean: Observation = { ...clean, exitCode: 143 };
const restarted: Observation = { kind: 'Restarted', exitCode: 143, restartCount: 1 };
const stillRunning: Observation = { kind: 'Running' };
const stuck = candidate();

/** A guard, and pods that ask it for permission, each for a sidecar of its own. */
function guarded({
  rule = 'canary',
  earlier = [],
}: {
  readonly rule?: UncleanExit;
  readonly earlier?: readonly string[];
} = {}) {
  const stopping = new AbortController();
  const asked: string[] = [];
  const guard = new Guard(
    rule,
    async () => {
      asked.push('what ended unclean before');
      return new Set(earlier);
    },
    stopping.signal,
  );
  let pods = 0;
  const ask = (target: Partial<PlannedTarget> = {}, sent: Step = step(), isProtected = true) => {
    const ref = { namespace: 'demo', name: `pod-${++pods}`, uid: `uid-${pods}` };
    const asking = { ...stuck, pod: { ...stuck.pod, ref } };
    return guard.permit(asking, isProtected, plannedTarget(target), sent);
  };
  /** The pod that asked last, about another step. */
  const askAgain = (sent: Step) => {
    pods--;
    return ask({}, sent);
  };
  return { guard, ask, askAgain, asked, stop: () => stopping.abort('Signal') };
}

/** What is known by now, without waiting for what is not. */
async function soFar(permit: Promise<Permit>): Promise<string> {
  const turn = new Promise<string>((resolve) => setImmediate(resolve, 'waits'));
  return Promise.race([permit.then((one) => (one.kind === 'Held' ? one.reason : one.kind)), turn]);
}

function all(permits: readonly Promise<Permit>[]): Promise<readonly string[]> {
  return Promise.all(permits.map(soFar));
}

/** Tells the guard what came of a canary. */
async function tell(
  permit: Promise<Permit>,
  observation: Observation,
  result: AttemptResult = { kind: 'Accepted' },
): Promise<void> {
  const one = await permit;
  if (one.kind !== 'Canary') expect.fail(`no canary: ${one.kind}`);
  one.tell(attempt(result), observation);
}

describe('a step goes at once', () => {
  it('where there is nothing to protect', async () => {
    const { ask } = guarded({ rule: 'forbid' });
    expect(await all([ask({}, step(), false), ask({}, step(9, { exitCode: 137 }), false)])).toEqual([
      'Go',
      'Go',
    ]);
  });

  it('when it is known to end clean', async () => {
    const { ask } = guarded({ rule: 'forbid' });
    const sent = step(15, { exitCode: 0 });
    expect(await all([ask({}, sent), ask({}, sent)])).toEqual(['Go', 'Go']);
  });

  it('where the operator takes the risk', async () => {
    const { ask, asked } = guarded({ rule: 'allow', earlier: [plannedTarget().image] });
    expect(await all([ask(), ask(), ask({}, step(9, { exitCode: 137 }))])).toEqual(['Go', 'Go', 'Go']);
    expect(asked).toEqual([]);
  });
});

describe('a step is held', () => {
  it.each(['canary', 'forbid'] as const)('when it is known to end unclean, by %s', async (rule) => {
    const { ask } = guarded({ rule });
    expect(await soFar(ask({}, step(9, { exitCode: 137 })))).toBe('KnownUnclean');
  });

  it('where no canary is allowed, without a look at the cluster', async () => {
    const { ask, asked } = guarded({ rule: 'forbid' });
    expect(await all([ask(), ask()])).toEqual(['Forbidden', 'Forbidden']);
    expect(asked).toEqual([]);
  });

  it('when its image ended unclean before this sweep: that was the canary', async () => {
    const { ask, asked } = guarded({ earlier: [plannedTarget().image] });
    expect(await all([ask(), ask(), ask({ variant: 'b' })])).toEqual(Array(3).fill('EarlierUnclean'));
    expect(asked).toHaveLength(1);
  });

  it('but not when another image did', async () => {
    const { ask } = guarded({ earlier: ['other:1'] });
    expect(await soFar(ask())).toBe('Canary');
  });
});

describe('while the canary is out, all others of its image wait:', () => {
  it('once it has ended clean, they go, and so does whoever asks later', async () => {
    const { ask } = guarded();
    const [canary, ...others] = [ask(), ask(), ask()];
    expect(await all([canary, ...others])).toEqual(['Canary', 'waits', 'waits']);
    await tell(canary, clean);
    expect(await all([...others, ask()])).toEqual(['Go', 'Go', 'Go']);
  });

  it.each([
    ['unclean', unclean],
    ['unclean, and was restarted', restarted],
  ])('once it has ended %s, they are held, those that are started otherwise as well', async (_title, end) => {
    const { ask } = guarded();
    const [canary, ...others] = [ask(), ask(), ask({ variant: 'b' })];
    expect(await all([canary, ...others])).toEqual(['Canary', 'waits', 'waits']);
    await tell(canary, end);
    expect(await all([...others, ask(), ask({ variant: 'c' })])).toEqual(Array(4).fill('CanaryEndedUnclean'));
  });

  it('once it has ended clean, what is started otherwise sends a canary of its own', async () => {
    const { ask } = guarded();
    const [canary, same, other, another] = [ask(), ask(), ask({ variant: 'b' }), ask({ variant: 'b' })];
    await tell(canary, clean);
    expect(await all([same, other, another])).toEqual(['Go', 'Canary', 'waits']);
    await tell(other, unclean);
    expect(await all([another, ask({ variant: 'c' })])).toEqual(Array(2).fill('CanaryEndedUnclean'));
  });

  it('when it has not ended in its time, it may yet end unclean, and nobody follows it', async () => {
    const { ask } = guarded();
    const [canary, same, other] = [ask(), ask(), ask({ variant: 'b' })];
    await tell(canary, stillRunning);
    expect(await all([same, other, ask({}, steps.Signal)])).toEqual(Array(3).fill('CanaryNotEnded'));
  });

  it('when it has not ended in its time, it alone may be asked again', async () => {
    const { ask, askAgain } = guarded();
    await tell(ask(), stillRunning);
    const again = askAgain(steps.Signal);
    expect(await soFar(again)).toBe('Canary');
    await tell(again, unclean);
    expect(await soFar(ask())).toBe('CanaryEndedUnclean');
  });

  it('once it has ended unclean by a command, a signal is held as well, and the other way round', async () => {
    for (const [first, second] of [
      [step(), steps.Signal],
      [steps.Signal, step()],
    ] as const) {
      const { ask } = guarded();
      await tell(ask({}, first), unclean);
      expect(await soFar(ask({}, second))).toBe('CanaryEndedUnclean');
    }
  });

  it('but an image that is swapped ends in the name of another, and is tried by itself', async () => {
    const { ask } = guarded();
    await tell(ask(), unclean);
    expect(await soFar(ask({}, { ...steps.ImageSwap, exitCode: undefined }))).toBe('Canary');
  });

  it('when the image has no such program, those that are started like it find that out for themselves', async () => {
    const { ask } = guarded();
    const [canary, ...others] = [ask(), ask(), ask()];
    await tell(canary, stillRunning, attemptResults.NoSuchProgram);
    expect(await all(others)).toEqual(['Go', 'Go']);
  });

  it.each([
    attemptResults.Refused,
    attemptResults.Unsupported,
    attemptResults.Immune,
    attemptResults.Busy,
    attemptResults.Undelivered,
  ])('when nothing came of it ($kind), the next one goes first', async (result) => {
    const { ask } = guarded();
    const [canary, next, last] = [ask(), ask(), ask()];
    await tell(canary, stillRunning, result);
    expect(await all([next, last])).toEqual(['Canary', 'waits']);
    await tell(next, clean);
    expect(await soFar(last)).toBe('Go');
  });

  it('when it was not sent at all, the next one goes first', async () => {
    const { ask } = guarded();
    const [canary, next] = [ask(), ask()];
    const permit = await canary;
    if (permit.kind === 'Canary') permit.tell(undefined, stillRunning);
    expect(await soFar(next)).toBe('Canary');
  });

  it('but nobody of another image', async () => {
    const { ask } = guarded();
    const permits = [ask(), ask({ image: 'other:1' }), ask({}, steps.Signal), ask()];
    expect(await all(permits)).toEqual(['Canary', 'Canary', 'waits', 'waits']);
  });

  it('until the sweep stops: then nobody waits any more', async () => {
    const { ask, stop } = guarded();
    const permits = [ask(), ask(), ask({ variant: 'b' })];
    expect(await all(permits)).toEqual(['Canary', 'waits', 'waits']);
    stop();
    expect(await all([...permits, ask()])).not.toContain('waits');
  });
});

describe('a clean end says nothing of another step by the same method:', () => {
  it('who went at TERM may be killed unclean', async () => {
    const { ask } = guarded();
    const kill: Step = { ...steps.Signal, signals: ['KILL'] };
    await tell(ask({}, steps.Signal), clean);
    expect(await soFar(ask({}, kill))).toBe('Canary');
  });

  it('another command may end it unclean', async () => {
    const { ask } = guarded();
    await tell(ask({}, step(15, { command: ['quit', '--now'] })), clean);
    expect(await soFar(ask({}, step(15, { command: ['kill', '-9', '7'] })))).toBe('Canary');
  });

  it('nor does a program that the image lacks say anything of another one', async () => {
    const { ask } = guarded();
    await tell(ask({}, step(15, { command: ['quit'] })), stillRunning, attemptResults.NoSuchProgram);
    expect(await soFar(ask({}, step()))).toBe('Canary');
  });
});

describe('what is held is told once for each image, method and reason', () => {
  it('with the number of pods', async () => {
    const { guard, ask } = guarded();
    const permits = [ask(), ask(), ask({ variant: 'b' })];
    await tell(permits[0] ?? ask(), unclean);
    await Promise.all(permits);
    expect(guard.warnings()).toEqual([
      {
        kind: 'Held',
        image: plannedTarget().image,
        method: 'Command',
        reason: 'CanaryEndedUnclean',
        pods: 2,
      },
    ]);
  });

  it('and nothing when nothing was', async () => {
    const { guard, ask } = guarded();
    await tell(ask(), clean);
    await ask();
    expect(guard.warnings()).toEqual([]);
  });
});

it('the cluster is asked what ended before only when a canary is about to be sent', async () => {
  const { ask, asked } = guarded();
  await all([ask(), ask(), ask({ image: 'other:1' })]);
  expect(asked).toHaveLength(2);
});
