import { problemOfWord } from '../methods/allowlist.ts';
import { describeSpec, methodNamed, type StepSpec } from '../methods/index.ts';
import type { Subject } from '../methods/method.ts';
import { killCommandKeys, ownValue, stepsKey } from '../model/annotations.ts';
import { bounds, shortened } from '../model/bounds.ts';
import type { SkipReason } from '../model/outcome.ts';
import type { Unfit } from '../model/step.ts';
import type { Policy } from '../policy/policy.ts';
import { readSteps } from '../policy/validation.ts';
import { parseJson } from '../util/json.ts';
import { type Ladder, noLadder, toLadder } from './ladder.ts';

export type OwnersSteps =
  | { readonly kind: 'Steps'; readonly ladder: Ladder }
  | { readonly kind: 'Skip'; readonly reason: SkipReason; readonly unfit: readonly Unfit[] };

/** Nothing is tried instead of steps that are malformed or not on the allowlist: their owner knows something that we do not. */
export function ownersSteps(of: Subject, policy: Policy): OwnersSteps {
  const { pod, container } = of;
  for (const key of [...killCommandKeys(container.name), stepsKey(container.name)]) {
    const written = ownValue(pod.annotations, key);
    if (written === undefined) continue;
    if (policy.annotationCommands.kind === 'Off') {
      return withoutCommand('NotAllowed', `${key}: annotation commands are off`);
    }
    return key === stepsKey(container.name)
      ? listedSteps(key, written, of, policy)
      : killCommand(key, written, of, policy);
  }
  return { kind: 'Steps', ladder: noLadder };
}

function killCommand(key: string, written: string, of: Subject, policy: Policy): OwnersSteps {
  const parsed = parseKillCommand(written);
  if (parsed.kind === 'Bad') {
    return skipFor({ kind: 'BadKillCommand', key, problem: parsed.problem });
  }
  const spec: StepSpec = { method: 'Command', command: [...parsed.words] };
  if (!mayAskFor(spec, policy)) return refused(key, [spec]);
  // A command that expects the sidecar to be PID 1 would hit the node's init process.
  if (of.pod.processNamespace === 'Node') return withoutCommand('SeesTheNode', 'hostPID');
  return { kind: 'Steps', ladder: toLadder([spec], { kind: 'Annotation', key }, of) };
}

function listedSteps(key: string, written: string, of: Subject, policy: Policy): OwnersSteps {
  const read = readSteps(written);
  if (read.kind === 'Bad') {
    return skipFor({ kind: 'BadKillCommand', key, problem: read.problem });
  }
  const notAdmitted = read.steps.filter((spec) => !mayAskFor(spec, policy));
  if (notAdmitted.length > 0) return refused(key, notAdmitted);
  const specs: StepSpec[] = [];
  const unfit: Unfit[] = [];
  for (const spec of read.steps) {
    // The sweep swaps images anyway, and earlier than as a last resort.
    if (spec.method === policy.swap?.method) continue;
    const allowed = methodNamed(spec.method).ends === 'Container' ? spec : ofLastResort(spec, policy);
    const detail = `${key}: not a last resort of this sweep`;
    if (allowed) specs.push(allowed);
    else unfit.push({ method: spec.method, reason: 'NotAllowed', detail });
  }
  const ladder = toLadder(specs, { kind: 'Annotation', key }, of);
  return { kind: 'Steps', ladder: { ...ladder, unfit: [...unfit, ...ladder.unfit] } };
}

/** Whether others' input may have this done: what is on the allowlist, or what the catalogue or the policy does anyway. */
function mayAskFor(spec: StepSpec, { annotationCommands, catalogue }: Policy): boolean {
  switch (annotationCommands.kind) {
    case 'Off':
      return false;
    case 'Any':
      return true;
    case 'Allowlist': {
      const known = catalogue.flatMap(({ steps }) => steps).filter(({ method }) => method === spec.method);
      return methodNamed(spec.method).isAdmitted(spec, { patterns: annotationCommands.patterns, known });
    }
  }
}

/** Only the operator allows what is done to a whole pod, and it is done with the operator's image. */
function ofLastResort({ method }: StepSpec, { lastResort }: Policy): StepSpec | undefined {
  return lastResort.find((each) => each.method === method);
}

/** The owner meant all of the steps, so that none is taken; each that is refused says so. */
function refused(key: string, specs: readonly StepSpec[]): OwnersSteps {
  const unfit = specs.map((spec): Unfit => {
    const detail = `${key}: neither the allowlist, the catalogue nor the policy has exactly this: ${describeSpec(spec)}`;
    return { method: spec.method, reason: 'NotAllowed', detail: shortened(detail) };
  });
  return skipFor({ kind: 'CommandNotAllowed', key }, unfit);
}

function withoutCommand(reason: Unfit['reason'], detail: string): OwnersSteps {
  return { kind: 'Steps', ladder: { steps: [], unfit: [{ method: 'Command', reason, detail }] } };
}

function skipFor(reason: SkipReason, unfit: readonly Unfit[] = []): OwnersSteps {
  return { kind: 'Skip', reason, unfit };
}

type KillCommand =
  | { readonly kind: 'Command'; readonly words: readonly string[] }
  | { readonly kind: 'Bad'; readonly problem: string };

/** As Argo Workflows writes it: a JSON array of strings. Anything else is a mistake of its owner, and is reported. */
export function parseKillCommand(text: string): KillCommand {
  if (Buffer.byteLength(text) > bounds.instructions) return bad(`longer than ${bounds.instructions} bytes`);
  const value = parseJson(text);
  if (value === undefined) return bad('not JSON');
  if (!Array.isArray(value)) return bad('not a JSON array');
  if (value.length === 0) return bad('an empty array');
  if (value.length > bounds.words) return bad(`more than ${bounds.words} words`);
  if (!value.every((word): word is string => typeof word === 'string')) return bad('not only strings');
  if (value[0] === '') return bad('no program: the first string is empty');
  const [problem] = value.flatMap((word) => problemOfWord(word) ?? []);
  return problem === undefined ? { kind: 'Command', words: value } : bad(problem);
}

function bad(problem: string): KillCommand {
  return { kind: 'Bad', problem };
}
