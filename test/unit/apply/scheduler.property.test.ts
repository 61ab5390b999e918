import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { brokenNote, hashOf } from '../../../src/facts/notes.ts';
import type { PodRef } from '../../../src/model/pod.ts';
import type { ExecResult } from '../../../src/model/ports.ts';
import { promiseOf } from '../../../src/plan/promises.ts';
import type { Emit } from '../../../src/plan/sweep-event.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import { jobView } from '../../builders/job.ts';
import { candidate, podPlan } from '../../builders/plan.ts';
import { ask, asked, costs, podOfTwo, quit, term } from './driven-pod.ts';
import { podNamed, ran, Stage } from './stage.ts';

const results: Readonly<Record<string, ExecResult>> = {
  Missed: { kind: 'Undelivered', message: 'refused' },
  Busy: { kind: 'Busy', message: 'later', retryAfterMs: undefined },
  Silent: { kind: 'Undelivered', message: 'no result', silentNode: true },
};

const other = ask('other', { exitCode: 0 });
const step = fc.constantFrom(quit, quit, term, other);
const steps = fc.array(step, { minLength: 1, maxLength: 2 });
const pod = fc.record({
  job: fc.nat(3),
  cost: fc.constantFrom(...costs),
  node: fc.constantFrom('n0', 'n1', 'n2'),
  a: steps,
  b: fc.option(steps, { nil: undefined }),
});
const some = <T>(...values: readonly T[]) =>
  fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 12 });
const scenario = fc.record({
  pods: fc.array(pod, { minLength: 1, maxLength: 16 }),
  // Of each Job.
  limits: fc.array(fc.nat(4), { minLength: 4, maxLength: 4 }),
  // How many pods of a Job have failed, read by read.
  failed: some(0, 0, 0, 1, 2, 3),
  slots: fc.integer({ min: 1, max: 8 }),
  // One after the other, again and again.
  answers: some('Clean', 'Clean', 'Clean', 'Unclean', 'Deaf', 'Missed', 'Busy', 'Silent'),
  delays: some(0, 0, 0, 700, 4_000),
  // How many pods come first: the others find no gate reserved by them.
  first: fc.nat(8),
  // Pods whose run an error ends when a step of theirs is reported.
  faulty: fc.array(fc.nat(15), { maxLength: 3 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** Sweeps pods in simulated time, which ends with an error if it takes too long. */
async function outcomesOf({ pods, limits, failed, slots, answers, delays, first, faulty }: Scenario) {
  let calls = 0;
  const nth = <T>(all: readonly T[]) => all[calls++ % all.length];
  const views = pods.map(({ job, node }, index) => {
    const owner = { group: 'batch', kind: 'Job', name: `j${job}`, uid: `j${job}` };
    return { ...podOfTwo({ node, owner }), ref: podNamed(`p${index}`).ref };
  });
  const plans = pods.map(({ cost, a, b }, index): PodPlan => {
    const targets = [asked(a, 'a'), ...(b ? [asked(b, 'b')] : [])];
    return podPlan({ candidate: candidate(views[index]), targets, uncleanCost: cost });
  });
  /** Whether it relies on a promise that is known to be broken. */
  const isRash = (request: string, { uid }: PodRef) => {
    const [, word, container = ''] = /^(\S+) .*\/(\S+)$/.exec(request) ?? [];
    const plan = plans.find((one) => one.candidate.pod.ref.uid === uid) ?? expect.fail(request);
    const sent =
      [quit, term, other].find((one) => one.method === 'Command' && one.command[0] === word) ??
      expect.fail(request);
    return promiseOf(plan, [container], sent, 'forbid').some((promise) => {
      const broken = { ...brokenNote(hashOf(promise), 'demo', 0), at: undefined };
      return stage.noted.some((note) => isDeepStrictEqual({ ...note, at: undefined }, broken));
    });
  };
  const late: string[] = [];
  const stage: Stage = new Stage({
    pods: views,
    slots,
    cluster: {
      readJob: async (_namespace, { name }) => {
        await stage.clock.sleep(nth(delays) ?? 0, stage.stopping.signal);
        const backoffLimit = limits[Number(name.slice(1))] ?? 0;
        return { kind: 'Present', job: jobView({ backoffLimit, failedPods: nth(failed) ?? 0 }) };
      },
    },
    asked: async (request, { ref }) => {
      const isOver = stage.conclusions.some(({ pod }) => pod.name === ref.name);
      if (isOver || isRash(request, ref)) late.push(request);
      const answer = nth(answers) ?? '';
      await stage.clock.sleep(nth(delays) ?? 0, stage.stopping.signal);
      if (results[answer]) return results[answer];
      if (answer !== 'Deaf') stage.end(request.split('/').at(-1), answer === 'Clean' ? 0 : 143, ref.uid);
      const codes = stage
        .pod(ref.uid)
        .containers.map(({ state }) => (state.kind === 'Terminated' ? state.exitCode : undefined));
      const phase = codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
      if (!codes.includes(undefined)) stage.time.after(1_500, () => stage.change({ phase }, ref.uid));
      return ran;
    },
  });
  const emit: Emit = (event) => {
    const isFaulty = event.kind === 'StepSent' && faulty.some((index) => event.pod.name === `p${index}`);
    if (isFaulty) throw new Error('out of paper');
    stage.heard.push(event);
  };
  await stage.apply(plans.slice(0, first), { emit }, plans.slice(first));
  return { concluded: stage.conclusions.map(({ pod }) => pod.name).sort(), late };
}

it('every pod is concluded once, whatever its requests wait for, and nothing is sent too late', async () => {
  const property = fc.asyncProperty(scenario, async (drawn) => {
    const concluded = drawn.pods.map((_, index) => `p${index}`).sort();
    expect(await outcomesOf(drawn)).toEqual({ concluded, late: [] });
  });
  await fc.assert(property, { numRuns: 100 });
}, 120_000);
