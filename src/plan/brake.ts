import type { Warning } from '../model/warning.ts';
import type { Brake, Caps } from '../policy/policy.ts';
import { mayAct } from './caps.ts';
import type { PodPlan, SweepPlan } from './sweep-plan.ts';

/** Of few pods, a share means nothing: one of two is half of the cluster. */
const fewestPodsForShare = 20;

type Braked = Extract<Warning, { readonly kind: 'Braked' }>;

/**
 * Why nothing may be sent: the sweep would act on more pods than the operator expects, or the whole plan, with the pods that caps
 * leave out, is for more of them. Undefined if neither is so.
 */
export function brake(
  plan: SweepPlan,
  taken: readonly PodPlan[],
  listed: number,
  limits: Brake,
  /** How many pods do not fit into the plan, and are swept after it. */
  later = 0,
  { run = Number.POSITIVE_INFINITY }: Partial<Pick<Caps, 'run'>> = {},
): Braked | undefined {
  const planned = plan.pods.filter(isPlanned);
  const acted = taken.filter(mayAct);
  const sent = Math.min(acted.length + later, Math.max(run, acted.length));
  const share = ((planned.length + later) / Math.max(listed, 1)) * 100;
  if (sent > limits.pods) {
    return {
      kind: 'Braked',
      pods: sent,
      listed,
      ...busiestRule(acted),
      limit: 'brakePods',
      most: limits.pods,
    };
  }
  if (planned.length + later >= fewestPodsForShare && share > limits.share) {
    return {
      kind: 'Braked',
      pods: planned.length + later,
      listed,
      ...busiestRule(planned),
      limit: 'brakeShare',
      most: limits.share,
    };
  }
  return undefined;
}

function isPlanned({ targets }: PodPlan): boolean {
  return targets.some(({ kind }) => kind === 'Planned');
}

/** The rule that made a container of most pods a sidecar: a rule written too wide is why there are so many. */
function busiestRule(pods: readonly PodPlan[]): Pick<Braked, 'rule' | 'byRule'> {
  const counts = new Map<string, number>();
  for (const { candidate } of pods) {
    const rules = candidate.sidecars.flatMap(({ because }) => (because.kind === 'Rule' ? because.rule : []));
    for (const rule of new Set(rules)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first ? { rule: first[0], byRule: first[1] } : {};
}
