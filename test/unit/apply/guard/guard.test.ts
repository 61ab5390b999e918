import { describe, expect, it } from 'vitest';
import type { Permit } from '../../../../src/apply/guard/guard.ts';
import type { SwapSign } from '../../../../src/model/pod.ts';
import type { PlannedStep, PodPlan } from '../../../../src/plan/sweep-plan.ts';
import { attemptResults, candidate, plannedTarget, podPlan, step, steps } from '../../../builders/plan.ts';
import { podView } from '../../../builders/pod-view.ts';
import {
  alike,
  clean,
  cleared,
  guarded,
  notStarted,
  planOf,
  restarted,
  sidecar,
  soFar,
  stillRunning,
  tell,
  tellNotSent,
  unclean,
} from './asking.ts';

const { image } = plannedTarget();
const kill = step(9, { exitCode: 137 });

describe('a step goes at once', () => {
  it('where there is nothing to protect', async () => {
    const { ask } = guarded();
    const [term, killed] = [step(), kill].map((sent) => cleared(sent, false, 'forbid'));
    expect(await soFar([ask(term), ask(killed)])).toEqual(['Go', 'Go']);
  });

  it('when it is known to end clean', async () => {
    const { ask } = guarded();
    const sent = cleared(step(15, { exitCode: 0 }), true, 'forbid');
    expect(await soFar([ask(sent), ask(sent)])).toEqual(['Go', 'Go']);
  });

  it('where the operator takes the risk, without a look at the cluster', async () => {
    const { ask, asked } = guarded(alike(image));
    const [term, killed] = [step(), kill].map((sent) => cleared(sent, true, 'allow'));
    expect(await soFar([ask(term), ask(term), ask(killed)])).toEqual(['Go', 'Go', 'Go']);
    expect(asked).toEqual([]);
  });
});

it("an owner's claim that a step ends clean never clears the way for other pods", async () => {
  const { ask } = guarded();
  const claimed = cleared(
    step(15, { exitCode: 0, source: { kind: 'Annotation', key: 'steps' } }),
    true,
    'canary',
  );
  expect(await soFar([ask(claimed), ask(claimed)])).toEqual(['Go', 'Go']);
  expect(await soFar([ask(), ask()])).toEqual(['First', 'waits']);
});

describe('a step is held', () => {
  it.each(['canary', 'forbid'] as const)('when it is known to end unclean, by %s', async (mode) => {
    const { ask, asked } = guarded();
    expect(await soFar([ask(cleared(kill, true, mode))])).toEqual(['KnownUnclean']);
    expect(asked).toEqual([]);
  });

  it('where no canary is allowed, without a look at the cluster', async () => {
    const { ask, asked } = guarded();
    const sent = cleared(step(), true, 'forbid');
    expect(await soFar([ask(sent), ask(sent)])).toEqual(['Forbidden', 'Forbidden']);
    expect(asked).toEqual([]);
  });

  it('when what is started alike ended unclean before this sweep: that was the canary', async () => {
    const { ask, asked } = guarded(alike(image));
    expect(await soFar([ask(), ask()])).toEqual(Array(2).fill('EarlierUnclean'));
    expect(asked).toHaveLength(1);
  });

  it('but not when another image did, or one that was started otherwise', async () => {
    const { ask } = guarded(alike('other:1'), alike(image, 'otherwise'));
    expect(await soFar([ask()])).toEqual(['First']);
  });
});

describe('while the canary is out, all others of its image wait:', () => {
  it('once it has ended clean, they go, and so does whoever asks later', async () => {
    const { ask, asked } = guarded();
    const [canary, ...others] = [ask(), ask(), ask()] as const;
    expect(await soFar([canary, ...others])).toEqual(['First', 'waits', 'waits']);
    await tell(canary, clean);
    expect(await soFar([...others, ask()])).toEqual(['Go', 'Go', 'Go']);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['unclean', unclean],
    ['unclean, and was restarted', restarted],
  ])('once it has ended %s, they are held, and so is whoever asks later', async (_title, end) => {
    const { ask } = guarded();
    const [canary, ...others] = [ask(), ask()] as const;
    await tell(canary, end);
    expect(await soFar([...others, ask()])).toEqual(Array(2).fill('CanaryEndedUnclean'));
  });

  it('what is started otherwise has a canary of its own, whatever becomes of the first', async () => {
    const { ask } = guarded();
    const otherwise = () => ask(step(), { alike: 'b' });
    const [canary, same, other, another] = [ask(), ask(), otherwise(), otherwise()];
    expect(await soFar([canary, same, other, another])).toEqual(['First', 'waits', 'First', 'waits']);
    await tell(canary, unclean);
    await tell(other, clean);
    expect(await soFar([same, another])).toEqual(['CanaryEndedUnclean', 'Go']);
  });

  it('when it has not ended in its time, it may still end unclean, and nobody follows it', async () => {
    const { ask } = guarded();
    const [canary, same] = [ask(), ask()];
    await tell(canary, stillRunning);
    expect(await soFar([same, ask(steps.Signal)])).toEqual(Array(2).fill('CanaryNotEnded'));
  });

  it('when it has not ended in its time, it alone may be asked again, until it has ended', async () => {
    const { ask, askAgain, asked } = guarded();
    await tell(ask(), stillRunning);
    const again = askAgain(steps.Signal);
    expect(await soFar([again])).toEqual(['First']);
    await tell(again, unclean);
    expect(await soFar([askAgain(step(9)), ask()])).toEqual(Array(2).fill('CanaryEndedUnclean'));
    expect(asked).toHaveLength(1);
  });

  it('once it has ended unclean by a command, a signal is held as well, and the other way round', async () => {
    for (const [first, second] of [
      [step(), steps.Signal],
      [steps.Signal, step()],
    ] as const) {
      const { ask } = guarded();
      await tell(ask(first), unclean);
      expect(await soFar([ask(second)])).toEqual(['CanaryEndedUnclean']);
    }
  });

  it('but an image that is swapped ends in the place of another, and is tried by itself', async () => {
    const { ask } = guarded();
    await tell(ask(), unclean);
    expect(await soFar([ask(steps.ImageSwap)])).toEqual(['First']);
  });

  it('when the image has no such program, those that are started like it find that out for themselves', async () => {
    const { ask } = guarded();
    const [canary, ...others] = [ask(), ask(), ask()] as const;
    await tell(canary, stillRunning, attemptResults.NoSuchProgram);
    expect(await soFar(others)).toEqual(['Go', 'Go']);
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
    expect(await soFar([next, last])).toEqual(['First', 'waits']);
    await tell(next, clean);
    expect(await soFar([last])).toEqual(['Go']);
  });

  it('when it was not sent at all, the next one goes first', async () => {
    const { ask } = guarded();
    const [canary, next] = [ask(), ask()];
    await tellNotSent(canary);
    expect(await soFar([next])).toEqual(['First']);
  });

  it('but nobody of another image', async () => {
    const { ask } = guarded();
    const permits = [ask(), ask(step(), { image: 'other:1' }), ask(steps.Signal), ask()];
    expect(await soFar(permits)).toEqual(['First', 'First', 'waits', 'waits']);
  });

  it('until the sweep stops: then nobody waits any more', async () => {
    const { ask, stop } = guarded();
    const permits = [ask(), ask(), ask()];
    expect(await soFar(permits)).toEqual(['First', 'waits', 'waits']);
    stop();
    expect(await soFar([...permits, ask()])).not.toContain('waits');
  });
});

describe('a clean end says nothing of another step by the same method:', () => {
  it('what ended on TERM may be killed unclean', async () => {
    const { ask } = guarded();
    await tell(ask(steps.Signal), clean);
    expect(await soFar([ask({ ...steps.Signal, signals: ['KILL'] })])).toEqual(['First']);
  });

  it('another command may end it unclean', async () => {
    const { ask } = guarded();
    await tell(ask(step(15, { command: ['quit', '--now'] })), clean);
    expect(await soFar([ask(step(15, { command: ['kill', '-9', '7'] }))])).toEqual(['First']);
  });

  it('nor does a program that the image lacks say anything of another one', async () => {
    const { ask } = guarded();
    await tell(ask(step(15, { command: ['quit'] })), stillRunning, attemptResults.NoSuchProgram);
    expect(await soFar([ask()])).toEqual(['First']);
  });
});

describe('a step for several sidecars', () => {
  const a = { container: 'a', image: 'a:1' };
  const b = { container: 'b', image: 'b:1' };
  const evict = steps.Evict;

  it('is tried once for all their images, and teaches of each', async () => {
    const { ask } = guarded();
    const both = ask(evict, a, b);
    expect(await soFar([both])).toEqual(['First']);
    const others = [ask(evict, a), ask(evict, b)];
    expect(await soFar(others)).toEqual(['waits', 'waits']);
    await tell(both, { a: clean, b: unclean });
    const held = 'CanaryEndedUnclean';
    expect(await soFar([...others, ask(evict, b, a)])).toEqual(['Go', held, held]);
  });

  it('goes at once when all of its images are known to end clean', async () => {
    const { ask } = guarded();
    await tell(ask(evict, a, b), clean);
    expect(await soFar([ask(evict, b, a)])).toEqual(['Go']);
  });

  it('is still tried first for the image that is not known', async () => {
    const { ask } = guarded();
    await tell(ask(evict, a), clean);
    expect(await soFar([ask(evict, a, b)])).toEqual(['First']);
    expect(await soFar([ask(evict, a), ask(evict, b)])).toEqual(['Go', 'waits']);
  });

  it('is held because of one image, and lets others try the rest', async () => {
    const { ask } = guarded(alike('b:1'));
    expect(await soFar([ask(evict, a, b)])).toEqual(['EarlierUnclean']);
    expect(await soFar([ask(evict, a)])).toEqual(['First']);
  });

  it('waits for nobody who waits for it, whatever the order of its sidecars', async () => {
    const { ask } = guarded();
    const permits = [ask(evict, a, b), ask(evict, b, a)] as const;
    expect(await soFar(permits)).toEqual(['First', 'waits']);
    await tell(permits[0], clean);
    expect(await soFar(permits)).toEqual(['First', 'Go']);
  });

  it('is held where no canary is allowed', async () => {
    const { ask } = guarded();
    expect(await soFar([ask({ ...evict, clearance: 'Forbidden' }, a, b, a)])).toEqual(['Forbidden']);
  });
});

describe('of pods that are to be swapped', () => {
  const swap: PlannedStep = { ...steps.ImageSwap, clearance: 'Free' };

  it('one goes first, and the others wait for what comes of it, without a look at the cluster', async () => {
    const { ask, asked } = guarded();
    expect(await soFar([ask(swap), ask(swap), ask(swap)])).toEqual(['First', 'waits', 'waits']);
    expect(asked).toEqual([]);
  });

  it('all others follow when its no-op image ran', async () => {
    const { ask } = guarded();
    const [first, ...others] = [ask(swap), ask(swap), ask(swap)] as const;
    await tell(first, clean);
    expect(await soFar([...others, ask(swap)])).toEqual(['Go', 'Go', 'Go']);
  });

  it('no other is touched when the image does not start', async () => {
    const { ask } = guarded();
    const two = [
      { container: 'a', image: 'a:1' },
      { container: 'b', image: 'b:1' },
    ] as const;
    const [first, ...others] = [ask(swap, ...two), ask(swap, ...two), ask(swap, two[0])] as const;
    await tell(first, { a: clean, b: notStarted });
    expect(await soFar([...others, ask(swap)])).toEqual(Array(3).fill('NoopDoesNotStart'));
  });

  it('the next goes first when the first was not swapped', async () => {
    const { ask } = guarded();
    const permits = [ask(swap), ask(swap)] as const;
    await tellNotSent(permits[0]);
    expect(await soFar(permits)).toEqual(['First', 'First']);
  });

  it('nobody follows the first while its old program still runs', async () => {
    const { ask } = guarded();
    const permits = [ask(swap), ask(swap)] as const;
    await tell(permits[0], stillRunning);
    expect(await soFar(permits)).toEqual(['First', 'CanaryNotEnded']);
  });

  it('another program has a first of its own, once the image was pulled', async () => {
    const { ask } = guarded();
    const other = { program: '/bin/other' };
    const permits = [ask(swap), ask(swap), ask(swap, other), ask(swap, other)] as const;
    expect(await soFar(permits)).toEqual(['First', 'waits', 'waits', 'waits']);
    await tell(permits[0], clean);
    expect(await soFar(permits)).toEqual(['First', 'Go', 'First', 'waits']);
    await tell(permits[2], { kind: 'Exited', exitCode: 128, signal: undefined, finishedAt: undefined });
    expect(await soFar([...permits, ask(swap)])).toEqual(['First', 'Go', 'First', 'NoopDoesNotStart', 'Go']);
  });

  it.each<SwapSign>(['PostStart', 'Probes', 'Resize'])(
    'what has no recording has a first of its own: %s',
    async (sign) => {
      const { ask } = guarded();
      const unrecorded = { swapSigns: [sign] };
      await tell(ask(swap), clean);
      expect(await soFar([ask(swap), ask(swap, unrecorded), ask(swap, unrecorded)])).toEqual([
        'Go',
        'First',
        'waits',
      ]);
    },
  );

  it('a pull that fails says nothing of other pull secrets', async () => {
    const { ask } = guarded();
    const withSecret = { pull: '["IfNotPresent",["registry"],"linux/amd64"]' };
    await tell(ask(swap), notStarted);
    expect(await soFar([ask(swap, { program: 'sh' }), ask(swap, withSecret)])).toEqual([
      'NoopDoesNotStart',
      'First',
    ]);
  });

  it('those for another image have a first of their own', async () => {
    const { ask } = guarded();
    await tell(ask(swap), notStarted);
    expect(await soFar([ask({ ...steps.ImageSwap, clearance: 'Free', image: 'other:1' })])).toEqual([
      'First',
    ]);
  });

  it('what swaps no image waits for nobody', async () => {
    const { ask } = guarded();
    const free = { clearance: 'Free' } as const;
    const permits = [ask(swap), ask({ ...steps.Evict, ...free }), ask({ ...steps.Delete, ...free })];
    expect(await soFar(permits)).toEqual(['First', 'Go', 'Go']);
  });
});

describe('of pods that can lose something,', () => {
  const follower: PlannedStep = { ...step(), clearance: 'Follower' };

  it('those that would lose the Job never go first, and follow a canary that ended with 0', async () => {
    const { guard, ask } = guarded();
    guard.expect(planOf(1));
    const [canary, other] = [ask(), ask(follower)];
    expect(await soFar([canary, other])).toEqual(['First', 'waits']);
    await tell(canary, clean);
    expect(await soFar([other])).toEqual(['Go']);
  });

  it('they are held when no other pod is there to go first, or none is left', async () => {
    const { guard, ask } = guarded();
    expect(await soFar([ask(follower)])).toEqual(['NobodyGoesFirst']);
    guard.expect(planOf(9));
    const waiting = ask(follower);
    expect(await soFar([waiting])).toEqual(['NobodyGoesFirst']);
  });

  it('they do not wait for each other, though each may go first with a later step', async () => {
    const { guard } = guarded();
    const targets = [sidecar()];
    const free: PlannedStep = { ...steps.ImageSwap, clearance: 'Free' };
    const plans = [1, 2].map((number) =>
      planOf(number, {
        targets,
        lastResort: [free],
        swappable: [{ container: 'sidecar', image: undefined }],
      }),
    );
    for (const plan of plans) guard.expect(plan);
    const ask = (step: PlannedStep) => plans.map((plan) => guard.permit(plan, targets, step));
    const following = ask({ ...free, clearance: 'Follower' });
    expect(await soFar(following)).toEqual(['NobodyGoesFirst', 'NobodyGoesFirst']);
    const [canary, other] = ask(free) as [Promise<Permit>, Promise<Permit>];
    expect(await soFar([canary, other])).toEqual(['First', 'waits']);
  });

  it.each<readonly [title: string, dear: Partial<PodPlan>, cheap: Partial<PodPlan>]>([
    ['by its cost', { uncleanCost: { kind: 'AnotherRun' } }, { uncleanCost: { kind: 'Restart' } }],
    ['by the retries that its Job has left', { retriesLeft: 1 }, { retriesLeft: 6 }],
  ])('the one that can lose least %s goes first, even if it asks last', async (_title, more, less) => {
    const { guard, ask } = guarded();
    const targets = [sidecar()];
    const dear = planOf(1, { targets, ...more });
    const cheap = planOf(2, { targets, ...less });
    guard.expect(dear);
    guard.expect(cheap);
    const first = guard.permit(dear, targets, step());
    expect(await soFar([first])).toEqual(['waits']);
    const second = guard.permit(cheap, targets, step());
    expect(await soFar([first, second])).toEqual(['waits', 'First']);
    await tell(second, clean);
    expect(await soFar([first])).toEqual(['Go']);
    expect(await soFar([ask()])).toEqual(['Go']);
  });

  it('the next one goes first once the one that can lose least is done otherwise', async () => {
    const { guard } = guarded();
    const targets = [sidecar()];
    const dear = planOf(1, { targets, uncleanCost: { kind: 'AnotherRun' } });
    const cheap = planOf(2, { targets, uncleanCost: { kind: 'Restart' } });
    guard.expect(dear);
    guard.expect(cheap);
    const first = guard.permit(dear, targets, step());
    guard.forget(cheap.candidate.pod.ref);
    expect(await soFar([first])).toEqual(['First']);
  });
});

describe('of one image, however differently its containers are started,', () => {
  /** Announces a pod of each namespace, started in its own way; the results ask for them. */
  function announced(...namespaces: readonly string[]) {
    const { guard } = guarded();
    return namespaces.map((namespace, number) => {
      const target = sidecar({ alike: `way-${number}`, steps: [step()] });
      const ref = { namespace, name: `pod-${number}`, uid: `uid-${number}` };
      const plan = podPlan({ candidate: candidate(podView({ ref })), targets: [target] });
      guard.expect(plan);
      return () => guard.permit(plan, [target], step());
    });
  }

  it('no more than three canaries are out at a time, and a clean end lets another one go', async () => {
    const { ask } = guarded();
    const permits = ['a', 'b', 'c', 'd', 'e'].map((how) => ask(step(), { alike: how }));
    const [first] = permits;
    if (!first) expect.fail('five permits');
    expect(await soFar(permits)).toEqual(['First', 'First', 'First', 'waits', 'waits']);
    await tell(first, clean);
    expect(await soFar(permits)).toEqual(['First', 'First', 'First', 'First', 'waits']);
  });

  it('no more than three end unclean, and one that may still do so counts', async () => {
    const { ask } = guarded();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((how) => ask(step(), { alike: how }));
    if (!a || !b || !c || !d) expect.fail('four permits');
    await tell(a, unclean);
    await tell(b, stillRunning);
    expect(await soFar([d])).toEqual(['waits']);
    await tell(c, unclean);
    expect(await soFar([d, ask(step(), { image: 'other:1' })])).toEqual(['ManyEndedUnclean', 'First']);
  });

  it('one namespace does not use up the trials of an image', async () => {
    const [a, b, c, other] = announced('hostile', 'hostile', 'hostile', 'other').map((ask) => ask());
    if (!a || !b || !c || !other) expect.fail('four permits');
    expect(await soFar([a, b, c, other])).toEqual(['First', 'First', 'waits', 'First']);
    await tell(a, unclean);
    await tell(b, stillRunning);
    expect(await soFar([c])).toEqual(['ManyEndedUnclean']);
  });
});

describe('what is learnt outlives the sweep:', () => {
  it('an unclean end is noted, a clean one and one that is still to come are not', async () => {
    const { ask, noted } = guarded();
    await tell(ask(step(), { alike: 'a' }), unclean);
    await tell(ask(step(), { alike: 'b' }), clean);
    await tell(ask(step(), { alike: 'c' }), stillRunning);
    expect(noted).toEqual([alike(image, 'a')]);
  });

  it('what an earlier sweep has noted holds what is started alike, and no more', async () => {
    const { ask, before } = guarded();
    before.add(alike(image, 'a'));
    expect(await soFar([ask(step(), { alike: 'a' }), ask(step(), { alike: 'b' })])).toEqual([
      'EarlierUnclean',
      'First',
    ]);
  });
});

it('the cluster is asked what ended before only when a canary is about to be sent', async () => {
  const { ask, asked } = guarded();
  await soFar([ask(), ask(), ask(step(), { image: 'other:1' })]);
  expect(asked).toHaveLength(2);
});
