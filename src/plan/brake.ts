import type { Brake } from '../policy/policy.ts';
import type { Warning } from '../vocabulary.ts';
import type { PodPlan, SweepPlan } from './sweep-plan.ts';

/** Of few pods, a share means nothing: one of two is half of the cluster. */
const fewestPodsForShare = 20;

type Braked = Extract<Warning, { readonly kind: 'Braked' }>;

/** Why nothing may be sent: the plan is for more pods than the operator expects; undefined if it is not. */
export function brake({ pods }: SweepPlan, listed: number, { maxPods, maxShare }: Brake): Braked | undefined {
  const planned = pods.filter(({ targets }) => targets.some(({ kind }) => kind === 'Planned'));
  const share = (planned.length / Math.max(listed, 1)) * 100;
  const facts = { kind: 'Braked', pods: planned.length, listed, ...busiestRule(planned) } as const;
  if (planned.length > maxPods) return { ...facts, limit: 'maxPods', most: maxPods };
  if (planned.length >= fewestPodsForShare && share > maxShare) {
    return { ...facts, limit: 'maxShare', most: maxShare };
  }
  return undefined;
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
