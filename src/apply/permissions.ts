import { methods } from '../methods/index.ts';
import type { Rule } from '../methods/method.ts';
import { accessesOf, describeRules } from '../methods/rules.ts';
import { predict } from '../plan/protect.ts';
import type { Access, Cluster } from '../ports.ts';
import type {
  MethodName,
  PodPlan,
  Step,
  SweepPlan,
  Target,
  UncleanExit,
  Unfit,
  Warning,
} from '../vocabulary.ts';
import type { Slots } from './slots.ts';

/** Which methods may not be used where. */
export interface Permissions {
  mayUse(method: MethodName, namespace: string): boolean;
  readonly warnings: readonly Warning[];
}

/**
 * Asks the API server for every verb that the methods of a plan need: once for all namespaces, and where that is denied once for each
 * that the plan touches. What the server does not say is taken for a yes: the attempt will tell.
 */
export async function askPermissions(
  plan: SweepPlan,
  cluster: Pick<Cluster, 'mayI'>,
  slots: Slots,
  signal: AbortSignal,
): Promise<Permissions> {
  const denied = new Set<string>();
  const warnings: Warning[] = [];
  const answers = new Map<string, Promise<boolean>>();
  const may = (access: Access) => {
    const key = JSON.stringify(access);
    let answer = answers.get(key);
    if (!answer) {
      answer = slots(async () => (await cluster.mayI(access, signal)) !== 'No');
      answers.set(key, answer);
    }
    return answer;
  };
  for (const [method, namespaces] of methodsIn(plan)) {
    const { rbac } = methods[method];
    if (await allAllowed(rbac, undefined, may)) continue;
    for (const namespace of namespaces) {
      if (await allAllowed(rbac, namespace, may)) continue;
      denied.add(`${method} ${namespace}`);
      warnings.push({ kind: 'NoPermission', method, namespace, rule: describeRules(rbac) });
    }
  }
  return { mayUse: (method, namespace) => !denied.has(`${method} ${namespace}`), warnings };
}

/** The plan without the steps that may not be taken. */
export function withoutForbidden(plan: SweepPlan, permissions: Permissions, rule: UncleanExit): SweepPlan {
  return { ...plan, pods: plan.pods.map((pod) => allowedIn(pod, permissions, rule)) };
}

function allowedIn(plan: PodPlan, { mayUse }: Permissions, rule: UncleanExit): PodPlan {
  const { namespace } = plan.candidate.pod.ref;
  const isAllowed = ({ method }: Step) => mayUse(method, namespace);
  const lastResort = plan.lastResort.filter(isAllowed);
  const targets = plan.targets.map((target): Target => {
    if (target.kind === 'Skipped') return target;
    const steps = target.steps.filter(isAllowed);
    if (steps.length === 0 && lastResort.length === 0) {
      const rules = forbidden([...target.steps, ...plan.lastResort], mayUse, namespace).map(needed);
      const outcome = { kind: 'Refused', message: `needs ${rules.join('; ')}` } as const;
      return { kind: 'Skipped', container: target.container, outcome };
    }
    const unfit = forbidden(target.steps, mayUse, namespace).map(
      (method): Unfit => ({ method, reason: 'NoPermission', detail: needed(method) }),
    );
    return { ...target, steps, unfit: [...target.unfit, ...unfit] };
  });
  return { ...plan, lastResort, targets, prediction: predict(plan.candidate, targets, lastResort, rule) };
}

function forbidden(
  steps: readonly Step[],
  mayUse: Permissions['mayUse'],
  namespace: string,
): readonly MethodName[] {
  return [...new Set(steps.map(({ method }) => method))].filter((method) => !mayUse(method, namespace));
}

function needed(method: MethodName): string {
  return describeRules(methods[method].rbac);
}

async function allAllowed(
  rules: readonly Rule[],
  namespace: string | undefined,
  may: (access: Access) => Promise<boolean>,
): Promise<boolean> {
  const answers = await Promise.all(rules.flatMap((rule) => accessesOf(rule, namespace)).map(may));
  return answers.every(Boolean);
}

function methodsIn(plan: SweepPlan): ReadonlyMap<MethodName, ReadonlySet<string>> {
  const byMethod = new Map<MethodName, Set<string>>();
  for (const { candidate, targets, lastResort } of plan.pods) {
    const steps = [
      ...targets.flatMap((target) => (target.kind === 'Planned' ? target.steps : [])),
      ...lastResort,
    ];
    for (const { method } of steps) {
      const namespaces = byMethod.get(method) ?? new Set();
      byMethod.set(method, namespaces.add(candidate.pod.ref.namespace));
    }
  }
  return byMethod;
}
