import { isCleared } from '../../plan/clearance.ts';
import { describeExclusion, describeHang, pageOf } from '../texts/reasons.ts';
import { afterAnother } from '../texts/steps.ts';
import { elapsed } from '../times.ts';
import type { ExplainedPlan } from './explained-plan.ts';
import type { PodExplanation } from './explanation.ts';

/** The answer in one sentence: what is wrong with the pod, and what a sweep would do about it. */
export function answer(explained: PodExplanation): string {
  const { pod, verdict, asOf, plan } = explained;
  const name = `${pod.namespace}/${pod.name}`;
  switch (verdict.kind) {
    case 'Candidate':
      return `${name} ${stuck(verdict, asOf)} on ${sidecarsOf(explained)}: ${would(plan)}`;
    case 'NeverStarted':
      return `${name} ${stuck(verdict, asOf)} on a sidecar that never started; see ${pageOf(verdict.kind)}`;
    case 'NotStartedAgain':
      return `${name} ${stuck(verdict, asOf)} on a sidecar that ended and cannot start again; see ${pageOf(verdict.kind)}`;
    case 'Hanging':
      return `${name} has hung for ${elapsed(verdict.since, asOf)}: ${describeHang(verdict.hang)}; see ${verdict.page}`;
    case 'Excluded':
      return `${name} is left alone: ${verdict.because.map(describeExclusion).join('; ')}`;
    case 'Undecided':
      return `${name} cannot be judged: ${verdict.problem}; see ${pageOf(verdict.kind)}`;
  }
}

function stuck({ mainsEndedAt }: { readonly mainsEndedAt: string }, asOf: string | undefined): string {
  return `has been stuck for ${elapsed(mainsEndedAt, asOf)}`;
}

function sidecarsOf({ containers }: PodExplanation): string {
  const names = containers.flatMap(({ role, name }) => (role === 'Sidecar' ? name : []));
  const [first = '', ...others] = names;
  return names.length > 3 ? `${first} and ${others.length} other sidecars` : names.join(', ');
}

/** What a sweep would begin with. */
function would(plan: ExplainedPlan | undefined): string {
  if (!plan) return 'a sweep would act on it';
  const steps = [...plan.targets.flatMap((target) => target.steps), ...plan.lastResort];
  const first = steps.find(isCleared);
  if (first) {
    const condition = first.clearance === 'Follower' ? `, but ${afterAnother}` : '';
    return `a sweep would ${first.does.replace(/^(?=[A-Z]+ localhost)/, 'send ')}${condition}`;
  }
  if (steps.length > 0) return 'a sweep would hold it, because finished work would run again or fail';
  const skipped = plan.targets.flatMap((target) => target.skipped ?? []);
  return `a sweep would do nothing: ${[...new Set(skipped)].join('; ')}`;
}
