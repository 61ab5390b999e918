import { hasProgram } from '../policy/noop-image.ts';
import { describeSign, portOf, shows } from '../policy/signs.ts';
import type { Profile, Sign, StepSpec } from '../policy/steps.ts';
import type {
  ContainerStep,
  ContainerView,
  MethodName,
  Millis,
  PodStep,
  PodView,
  StepSource,
  Unfit,
} from '../vocabulary.ts';
import { hasSignal, sendsSignals, signalsPid1, withSignal } from './kill-command.ts';

/** What a list of written steps comes to for one container. */
export interface Ladder {
  readonly container: readonly ContainerStep[];
  readonly pod: readonly PodStep[];
  readonly unfit: readonly Unfit[];
}

const SIGTERM = 15;
const SIGKILL = 9;

/** The steps of a profile, as far as the pod does not itself show that one cannot work. */
export function profileSteps(profile: Profile, pod: PodView, container: ContainerView): Ladder {
  return toLadder(profile.steps, { kind: 'Profile', profile: profile.name }, pod, container);
}

export function toLadder(
  specs: readonly StepSpec[],
  source: StepSource,
  pod: PodView,
  container: ContainerView,
): Ladder {
  const steps: (ContainerStep | PodStep)[] = [];
  const unfit: Unfit[] = [];
  for (const spec of specs) {
    const reason = whyUnfit(spec, pod, container);
    if (reason) unfit.push(reason);
    else steps.push(...toSteps(spec, source, pod, container));
  }
  return {
    container: steps.filter(isContainerStep),
    pod: steps.filter((step): step is PodStep => !isContainerStep(step)),
    unfit,
  };
}

function isContainerStep(step: ContainerStep | PodStep): step is ContainerStep {
  switch (step.method) {
    case 'Command':
    case 'Http':
    case 'Signal':
    case 'Tombstone':
      return true;
    case 'ImageSwap':
    case 'EphemeralContainer':
    case 'Deadline':
    case 'Evict':
    case 'Delete':
      return false;
  }
}

/** A command with `%d`, as Kubernetes' own termination has it: TERM, the grace period, then KILL. */
export function commandSteps(
  words: readonly string[],
  source: StepSource,
  grace: Millis,
  exitCode: number | undefined,
): readonly ContainerStep[] {
  const common = { method: 'Command', source } as const;
  const asked: ContainerStep = { ...common, command: withSignal(words, SIGTERM), grace, exitCode };
  if (!hasSignal(words)) return [asked];
  // The code that was written down is of who is asked: who is killed ends with another.
  const killed = { command: withSignal(words, SIGKILL), grace: timeToShow(grace), exitCode: undefined };
  return [asked, { ...common, ...killed }];
}

/** KILL is not answered, it only has to show: the kubelet reports an end 1 to 2 seconds later. */
export function timeToShow(grace: Millis): Millis {
  return Math.min(Math.max(grace, 2_000), 5_000);
}

/** The method of a written step. */
export function methodOf(spec: StepSpec): MethodName {
  if ('http' in spec) return 'Http';
  if ('command' in spec) return 'Command';
  if ('signal' in spec) return 'Signal';
  if ('tombstone' in spec) return 'Tombstone';
  if ('imageSwap' in spec) return 'ImageSwap';
  if ('ephemeralContainer' in spec) return 'EphemeralContainer';
  if ('deadline' in spec) return 'Deadline';
  if ('evict' in spec) return 'Evict';
  return 'Delete';
}

function whyUnfit(spec: StepSpec, pod: PodView, container: ContainerView): Unfit | undefined {
  const method = methodOf(spec);
  const shown = (sign: Sign) => shows(sign, pod, container);
  if (spec.when && !spec.when.some(shown)) {
    return { method, reason: 'NotShown', detail: `no ${spec.when.map(describeSign).join(', no ')}` };
  }
  const against = spec.unless?.find(shown);
  if (against) return { method, reason: 'ShownOtherwise', detail: describeSign(against) };
  if ('http' in spec) {
    const port = portOf(spec.http.port, pod, container);
    if (port.kind !== 'Port') return { method, reason: 'Off', detail: port.detail };
  }
  if ('tombstone' in spec && expand(spec.tombstone.path, container).length === 0) {
    return { method, reason: 'NoPath', detail: `${spec.tombstone.path} names a variable that is not set` };
  }
  // A pod on the host's network has the node's loopback: somebody else may listen there.
  if ('http' in spec && pod.hostNetwork) return { method, reason: 'SeesTheNode', detail: 'hostNetwork' };
  const command = signalling(spec);
  if (!command) return undefined;
  // There PID 1 is the node's init, and every process of the node can be seen.
  if (pod.processNamespace === 'Node') return { method, reason: 'SeesTheNode', detail: 'hostPID' };
  if (pod.processNamespace === 'Pod' && signalsPid1(command)) {
    return { method, reason: 'ShownOtherwise', detail: 'PID 1 is pause, and the end of the pod' };
  }
  return undefined;
}

/** The words of a step that signals processes by itself; none for the script of signals, which looks for the sidecar's own. */
function signalling(spec: StepSpec): readonly string[] | undefined {
  if ('signal' in spec) return [];
  if ('command' in spec) return sendsSignals(spec.command) ? spec.command : undefined;
  return 'ephemeralContainer' in spec ? spec.ephemeralContainer.command : undefined;
}

function toSteps(
  spec: StepSpec,
  source: StepSource,
  pod: PodView,
  container: ContainerView,
): readonly (ContainerStep | PodStep)[] {
  const common = { source, grace: spec.grace ?? pod.grace, exitCode: spec.exitCode };
  const outside = { ...common, grace: (spec.grace ?? pod.grace) + timeToEndOutside };
  if ('http' in spec) {
    const { method, path, headers = {}, statuses = [] } = spec.http;
    const port = portOf(spec.http.port, pod, container);
    if (port.kind !== 'Port') return [];
    return [{ method: 'Http', request: { method, port: port.port, path, headers, statuses }, ...common }];
  }
  if ('command' in spec) return commandSteps(spec.command, source, common.grace, spec.exitCode);
  if ('signal' in spec) return [{ method: 'Signal', signals: spec.signal, ...common }];
  if ('tombstone' in spec) {
    const { content } = spec.tombstone;
    return expand(spec.tombstone.path, container).map((path) => ({
      method: 'Tombstone',
      path,
      content,
      ...common,
    }));
  }
  if ('imageSwap' in spec) {
    // Whatever the code of what was ended, the no-op image exits 0; without the program it ends as StartError, with 128.
    const { image, commands } = spec.imageSwap;
    const program = container.command?.[0];
    const starts = program === undefined || hasProgram(program, commands);
    return [{ method: 'ImageSwap', image, programs: commands, ...outside, exitCode: starts ? 0 : undefined }];
  }
  if ('ephemeralContainer' in spec) {
    const { image, command } = spec.ephemeralContainer;
    return [{ method: 'EphemeralContainer', image, command, ...outside }];
  }
  const fails = { ...outside, exitCode: spec.exitCode ?? 137 };
  if ('deadline' in spec) return [{ method: 'Deadline', ...fails }];
  if ('evict' in spec) return [{ method: 'Evict', ...fails }];
  return [{ method: 'Delete', ...fails }];
}

/** The kubelet's own way: grace, KILL, pulling an image, starting it, and telling. */
const timeToEndOutside: Millis = 15_000;

/**
 * Puts the container's variables into a path, written as Kubernetes writes them: `$(NAME)`. A variable that lists names with
 * commas makes a path for each of them; one that is not set leaves none.
 */
function expand(path: string, { env }: Pick<ContainerView, 'env'>): readonly string[] {
  const [before = '', name] = path.split(/\$\(([A-Za-z_][A-Za-z0-9_]*)\)/);
  if (name === undefined) return [before];
  if (!Object.hasOwn(env, name)) return [];
  const values = (env[name] ?? '').split(',').map((value) => value.trim());
  const ends = expand(path.slice(before.length + name.length + 3), { env });
  return values.flatMap((value) => ends.map((end) => before + value + end));
}
