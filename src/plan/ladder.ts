import { timeToShow } from '../methods/command.ts';
import { methodNamed, type Step, type StepSpec } from '../methods/index.ts';
import type { StepCommon, Subject, Unfitness } from '../methods/method.ts';
import { shortened } from '../model/bounds.ts';
import { describeSign, shows } from '../model/signs.ts';
import type { StepSource, Unfit } from '../model/step.ts';

/** A list of written steps, resolved for one container. */
export interface Ladder {
  readonly steps: readonly Step[];
  readonly unfit: readonly Unfit[];
}

export const noLadder: Ladder = { steps: [], unfit: [] };

/** The steps of a list, as far as the pod itself does not show that one cannot work. */
export function toLadder(specs: readonly StepSpec[], source: StepSource, of: Subject): Ladder {
  const steps: Step[] = [];
  const unfit: Unfit[] = [];
  for (const spec of specs) {
    const method = methodNamed(spec.method);
    const why = whyNotShown(spec, of) ?? method.whyUnfit(spec, of);
    if (why) unfit.push({ method: spec.method, reason: why.reason, detail: shortened(why.detail) });
    else steps.push(...method.toSteps(spec, commonOf(spec, source, of), of));
  }
  return { steps, unfit };
}

export function joinLadders(ladders: readonly Ladder[]): Ladder {
  return {
    steps: ladders.flatMap(({ steps }) => steps),
    unfit: ladders.flatMap(({ unfit }) => unfit),
  };
}

/** A pod may be given no time to end, but whatever ends in it takes a moment to show. */
function commonOf({ grace, exitCode }: StepSpec, source: StepSource, { pod }: Subject): StepCommon {
  const common = { source, grace: grace ?? Math.max(pod.grace, timeToShow(0)), exitCode };
  if (exitCode !== 0) return common;
  return { ...common, promisedBy: source.kind === 'Annotation' ? 'Owner' : 'Profile' };
}

/** Why the conditions that were written with a step do not hold. */
function whyNotShown(spec: StepSpec, { pod, container }: Subject): Unfitness | undefined {
  if (spec.when && !spec.when.some((sign) => shows(sign, pod, container))) {
    return { reason: 'NotShown', detail: `no ${spec.when.map(describeSign).join(', no ')}` };
  }
  const against = spec.unless?.find((sign) => shows(sign, pod, container, true));
  return against && { reason: 'ShownOtherwise', detail: describeSign(against) };
}
