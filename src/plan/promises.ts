import type { Step, StepSpec } from '../methods/index.ts';
import type { Promiser, Subject } from '../methods/method.ts';
import { listedUnder, ownKeys } from '../model/annotations.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import type { UncleanExit } from '../model/step.ts';
import type { Policy } from '../policy/policy.ts';
import type { Profile } from '../policy/profile.ts';
import { exitsWithZero } from '../policy/rules.ts';
import type { PlannedStep, PodPlan } from './sweep-plan.ts';

/** The catalogue, whose entries all have `native`, knows how a program ends, not a script around it; a policy's profile may. */
export function stepsOfProfile({ steps, native }: Profile, container: ContainerView): readonly StepSpec[] {
  if (!native || !runsScript(container)) return steps;
  return steps.map((step) => (step.exitCode === 0 ? { ...step, exitCode: undefined } : step));
}

/**
 * Whether a script starts the program, so that its last command decides about the exit code, if it ends at all. `a && b` ends as b does,
 * and so does what ends in `exec b`, as the entrypoints of images do. A trap may exit with 0; a `wait` that it interrupts does not.
 */
function runsScript({ command = [], args = [] }: ContainerView): boolean {
  const words = [...command, ...args];
  if (words.some((word) => /^[^-].*(?<!entrypoint)\.(?:sh|py|rb|pl|js)(?![\w.:/-])/.test(word))) return true;
  const shell = words.findIndex((word) => /^(?:[^-].*\/)?(?:ba|da|a)?sh$/.test(word));
  const flag = words.findIndex((word, index) => index > shell && /^-[a-z]*c$/.test(word));
  if (shell < 0 || flag < 0) return shell >= 0;
  const [script = ''] = words
    .slice(flag + 1)
    .filter((word) => !/^[-+]/.test(word))
    .map((word) => word.trim());
  const hasSeveral = /(?<![&>])&(?![&>])|;|\n|\|\||\|(?![\s\S]*&&)/.test(script);
  return hasSeveral && !/\btrap\b[\s\S]*\bexit 0\b|(?<!\|\s*)\bexec [^;&|\n]*$/.test(script);
}

/** The steps of a container, with the exit code that its owner or a rule of the policy promises. */
export function withPromises(
  steps: readonly Step[],
  { pod, container }: Subject,
  policy: Policy,
): readonly Step[] {
  const promisedBy = promiserOf(pod, container, policy);
  if (!promisedBy) return steps;
  return steps.map((step) =>
    step.exitCode === undefined && !kills(step) ? { ...step, exitCode: 0, promisedBy } : step,
  );
}

/** KILL leaves a program no choice of its exit code. */
function kills(step: Step): boolean {
  if (step.method === 'Command') return step.kills === true;
  return step.method === 'Signal' && step.signals[0] === 'KILL';
}

/** Who says that this container exits with 0 when it is asked to end: the pod's owner, or a rule of the policy. */
function promiserOf(pod: PodView, { name, image }: ContainerView, { rules }: Policy): Promiser | undefined {
  if (listedUnder(pod.annotations, ownKeys.exitsWithZero).includes(name)) return 'Owner';
  const { labels, owner, ref } = pod;
  const subject = { container: name, image, labels, namespace: ref.namespace, ownerKind: owner?.kind };
  return exitsWithZero(rules, subject) ? 'Policy' : undefined;
}

/**
 * The promises that a step relies on, if a broken one would cost something that is not allowed. Namespaces do
 * not share promises, so that no tenant affects another's pods. Owners of a namespace do, for the same program:
 * most own a single pod.
 */
export function promiseOf(
  { candidate, uncleanCost }: Pick<PodPlan, 'candidate' | 'uncleanCost'>,
  containers: readonly string[],
  step: PlannedStep,
  mode: UncleanExit,
): readonly string[] {
  // Who allows unclean ends of sidecars does not want an image that does not start, or lacks their programs, to fail every pod.
  const mustHold = mode === 'allow' ? step.method === 'ImageSwap' : step.exitCode === 0;
  if (!mustHold || uncleanCost.kind === 'Nothing') return [];
  const { ref, pullSecrets } = candidate.pod;
  // A swap relies on the no-op image, not on the sidecar: the image may not exist for the node's platform, or
  // this pod may be unable to pull it.
  if (step.method === 'ImageSwap') {
    const { method, image, platform } = step;
    const pulls = candidate.sidecars.some(({ container }) => container.pullPolicy === 'Always');
    const unknown = step.exitCode === 0 ? [] : candidate.sidecars.map((one) => one.container.command?.[0]);
    return [JSON.stringify([ref.namespace, method, image, platform, pulls, pullSecrets, ...unknown])];
  }
  const { grace, blocked, source, promisedBy, raisesLimit, only, ...does } = step;
  const meant = candidate.sidecars.filter(({ container }) => containers.includes(container.name));
  return meant.map(({ container: { image, command, args } }) => {
    const program = promisedBy === 'Owner' ? [command, args] : [];
    return JSON.stringify([ref.namespace, promisedBy, image, ...program, does]);
  });
}

export function namespaceOf(promise: string): string {
  const [namespace] = JSON.parse(promise) as readonly [string];
  return namespace;
}
