import type { PodView } from '../../src/model/pod.ts';
import type { PodPlan } from '../../src/plan/sweep-plan.ts';
import { candidate, podPlan } from './plan.ts';
import { container, exited, minute, now, podView, running } from './pod-view.ts';

/** A stuck pod, as far as its turn and the caps depend on it. */
export interface Stuck {
  readonly name: string;
  readonly namespace?: string;
  readonly node?: string;
  readonly cpu?: number;
  readonly memory?: number;
  /** For how many minutes its last main has ended. */
  readonly minutes?: number;
  readonly plan?: Partial<PodPlan>;
}

/** The plan for a stuck pod; its uid is its name. */
export function stuckPlan({ name, cpu = 1, memory = 0, minutes = 60, plan, ...where }: Stuck): PodPlan {
  const { namespace = 'demo', node = 'node1' } = where;
  const view: Partial<PodView> = {
    ref: { namespace, name, uid: name },
    node,
    requests: { cpu, memory },
    containers: [container('main', exited(0, now - minutes * minute)), container('sidecar', running)],
  };
  return podPlan({ candidate: candidate(podView(view)), ...plan });
}

export function nameOf({ candidate: { pod } }: PodPlan): string {
  return pod.ref.name;
}
