import { constants } from 'node:os';
import type { Container, Pod } from '../objects.ts';

export interface LightEnd {
  /** One code, or several that the containers of this image in a namespace end with in turn. */
  readonly exitCode: number | readonly number[];
  /** The code of a container whose environment has a variable with this value. */
  readonly withEnv?: { readonly name: string; readonly value: string; readonly exitCode: number };
  readonly after?: number;
}

/** The declared behaviour of a light container; no process runs. */
export interface LightBehaviour {
  readonly ends?: LightEnd;
  /** The signals that PID 1 handles. The kernel drops all others, including SIGKILL from inside. */
  readonly on?: Partial<Record<NodeJS.Signals, LightEnd>>;
  /** The image has no shell; every exec fails. */
  readonly shell?: false;
  /** An HTTP endpoint on the loopback that ends it. */
  readonly quit?: LightEnd & { readonly port: number; readonly path: string };
  /** The user of the image, if the pod names none. */
  readonly user?: number;
  /** The image cannot be pulled, or lacks the program that the container runs. */
  readonly image?: 'missing' | 'lacks-program';
}

/** The annotation that declares a pod's behaviours: JSON with a LightBehaviour for each container name. */
export const BEHAVIOUR_ANNOTATION = 'emulator.sidecar-sweeper.dev/behaviour';

/** The behaviour of a container; undefined means that the pod's annotation decides. */
export type Behaviours = (pod: Pod, container: Container) => LightBehaviour | undefined;

const NO_OP_IMAGES = ['docker.io/local/nop:1', 'docker.io/local/nopbare:1'];

const OBEDIENT: LightBehaviour = { on: { SIGTERM: { exitCode: 0 } } };

/** A container's behaviour. An undeclared one runs until SIGTERM and exits 0, unless its image is a no-op. */
export function behaviourOf(pod: Pod, container: Container, declared?: Behaviours): LightBehaviour {
  const ownProgram = !runsFromVolume(container);
  if (ownProgram && NO_OP_IMAGES.includes(container.image)) return { ends: { exitCode: 0 } };
  const annotation = pod.metadata.annotations?.[BEHAVIOUR_ANNOTATION];
  const annotated = annotation ? (JSON.parse(annotation) as Record<string, LightBehaviour>) : {};
  return declared?.(pod, container) ?? annotated[container.name] ?? OBEDIENT;
}

/** Whether the program comes from a mounted volume: then it stays the same with another image. */
function runsFromVolume(container: Container): boolean {
  const mounts = (container['volumeMounts'] ?? []) as readonly { readonly mountPath: string }[];
  const program = container.command?.[0] ?? '';
  return mounts.some(({ mountPath }) => program.startsWith(`${mountPath.replace(/\/$/, '')}/`));
}

const SHELL = /(^|\/)(sh|ash|dash|bash|busybox)$/;
const KILL = /(^|\/)kill$/;

/**
 * The signal that a command sends to PID 1, in the usual spellings: `sh -c 'kill -15 1'`,
 * `/bin/kill -s INT 1`, `kill -SIGTERM 1`, `kill 1`. Undefined for other commands.
 */
export function signalToInit(command: readonly string[]): NodeJS.Signals | undefined {
  const [program = '', ...args] = command;
  if (SHELL.test(program)) {
    const script = args[args.indexOf('-c') + 1];
    return args.includes('-c') && script ? signalToInit(script.trim().split(/\s+/)) : undefined;
  }
  if (!KILL.test(program) || args.at(-1) !== '1') return undefined;
  const options = args.slice(0, -1).filter((arg) => arg !== '--');
  const [first, second, ...rest] = options;
  if (rest.length > 0) return undefined;
  if (first === undefined) return 'SIGTERM';
  if (first === '-s' || first === '-n') return second === undefined ? undefined : signalNamed(second);
  return second === undefined && first.startsWith('-') ? signalNamed(first.slice(1)) : undefined;
}

/**
 * The signals from which a script picks one that PID 1 catches: `sh -c '… SigCgt …' name TERM:15 INT:2`.
 * Undefined for other commands.
 */
export function signalsToChooseFrom(command: readonly string[]): readonly NodeJS.Signals[] | undefined {
  const [program = '', flag, script = '', , ...args] = command;
  if (!SHELL.test(program) || flag !== '-c' || !script.includes('SigCgt')) return undefined;
  return args.flatMap((arg) => signalNamed(arg.split(':')[0] ?? '') ?? []);
}

function signalNamed(text: string): NodeJS.Signals | undefined {
  const upper = text.toUpperCase();
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  return names.find(
    (name) => String(constants.signals[name]) === text || name === upper || name === `SIG${upper}`,
  );
}
