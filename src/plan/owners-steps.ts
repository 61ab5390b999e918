import { annotation, killCommandKeys, stepsKey } from '../judge/annotations.ts';
import { isAllowed } from '../policy/allowlist.ts';
import { readSteps } from '../policy/read-steps.ts';
import type { StepSpec } from '../policy/steps.ts';
import type { ContainerView, PodView, Policy, SkipReason, Unfit } from '../vocabulary.ts';
import { parseKillCommand, signalsPid1 } from './kill-command.ts';
import { commandSteps, type Ladder, methodOf, toLadder } from './ladder.ts';

export type OwnersSteps =
  | { readonly kind: 'Steps'; readonly ladder: Ladder }
  | { readonly kind: 'Skip'; readonly reason: SkipReason };

/**
 * What the pod's own annotations ask for: a kill command, or else a list of steps. When it cannot be done as written, nothing
 * is tried in its place: its owner knows something about this container that we do not.
 */
export function ownersSteps(pod: PodView, container: ContainerView, policy: Policy): OwnersSteps {
  for (const key of [...killCommandKeys(container.name), stepsKey(container.name)]) {
    const written = annotation(pod.annotations, key);
    if (written === undefined) continue;
    if (policy.annotationCommands.kind === 'Off') {
      return leftOut({
        method: 'Command',
        reason: 'NotAllowed',
        detail: `${key}: annotation commands are off`,
      });
    }
    return key === stepsKey(container.name)
      ? listedSteps(key, written, pod, container, policy)
      : killCommand(key, written, pod, policy);
  }
  return { kind: 'Steps', ladder: { container: [], pod: [], unfit: [] } };
}

function killCommand(key: string, written: string, pod: PodView, policy: Policy): OwnersSteps {
  const command = parseKillCommand(written);
  if (command.kind === 'Bad') {
    return { kind: 'Skip', reason: { kind: 'BadKillCommand', key, problem: command.problem } };
  }
  const { words } = command;
  if (!isAdmitted({ command: [...words] }, policy)) {
    return { kind: 'Skip', reason: { kind: 'CommandNotAllowed', key } };
  }
  // A command that counts on PID 1 being the sidecar would hit the node's init, or the pause process.
  if (pod.processNamespace === 'Node') return { kind: 'Skip', reason: { kind: 'HostPID' } };
  if (pod.processNamespace === 'Pod' && signalsPid1(words)) {
    return leftOut({
      method: 'Command',
      reason: 'ShownOtherwise',
      detail: `${key} signals PID 1, which is pause`,
    });
  }
  const steps = commandSteps(words, { kind: 'Annotation', key }, pod.grace, undefined);
  return { kind: 'Steps', ladder: { container: steps, pod: [], unfit: [] } };
}

function listedSteps(
  key: string,
  written: string,
  pod: PodView,
  container: ContainerView,
  policy: Policy,
): OwnersSteps {
  const read = readSteps(written);
  if (read.kind === 'Bad') {
    return { kind: 'Skip', reason: { kind: 'BadKillCommand', key, problem: read.problem } };
  }
  if (!read.steps.every((spec) => isAdmitted(spec, policy))) {
    return { kind: 'Skip', reason: { kind: 'CommandNotAllowed', key } };
  }
  const specs: StepSpec[] = [];
  const unfit: Unfit[] = [];
  for (const spec of read.steps) {
    const allowed = isForThePod(spec) ? ofLastResort(spec, policy) : spec;
    if (allowed) specs.push(allowed);
    else
      unfit.push({
        method: methodOf(spec),
        reason: 'NotAllowed',
        detail: `${key}: no last resort of this sweep`,
      });
  }
  const ladder = toLadder(specs, { kind: 'Annotation', key }, pod, container);
  return { kind: 'Steps', ladder: { ...ladder, unfit: [...unfit, ...ladder.unfit] } };
}

/**
 * Whether other people's input may have this done. Signals are sent to any sidecar; commands are on the allowlist; requests and
 * files are those of the catalogue: whoever may write an annotation may not always reach the pod's ports and files.
 */
function isAdmitted(spec: StepSpec, { annotationCommands, catalogue }: Policy): boolean {
  if (annotationCommands.kind !== 'Allowlist') return annotationCommands.kind === 'Any';
  if ('command' in spec) return isAllowed(spec.command, annotationCommands.patterns);
  const known = catalogue.flatMap(({ steps }) => steps);
  if ('http' in spec) {
    const { method, path } = spec.http;
    return known.some((each) => 'http' in each && each.http.method === method && each.http.path === path);
  }
  if ('tombstone' in spec) {
    return known.some((each) => 'tombstone' in each && each.tombstone.path === spec.tombstone.path);
  }
  return true;
}

function isForThePod(spec: StepSpec): boolean {
  return !('http' in spec || 'command' in spec || 'signal' in spec || 'tombstone' in spec);
}

/** What is done to a whole pod is for the operator to allow, and done with the operator's image. */
function ofLastResort(spec: StepSpec, { lastResort }: Policy): StepSpec | undefined {
  return lastResort.find((each) => methodOf(each) === methodOf(spec));
}

function leftOut(unfit: Unfit): OwnersSteps {
  return { kind: 'Steps', ladder: { container: [], pod: [], unfit: [unfit] } };
}
