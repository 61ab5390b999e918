import {
  type Emulator,
  type EmulatorOptions,
  emulatorClock,
  ensureNamespace,
  type Job,
  type Pod,
  type RunningClock,
  startEmulator,
} from '../emulator/index.ts';
import { exchange } from './client.ts';

let pace = 1;

/** Runs replays with clocks that are slower by this factor, so that the delays of a busy machine count for less. */
export async function slowedDown<T>(factor: number, play: () => Promise<T>): Promise<T> {
  pace = 1 / factor;
  try {
    return await play();
  } finally {
    pace = 1;
  }
}

/** A clock for a replay. Real processes need real time. */
export function replayClock(speed: number): RunningClock {
  return emulatorClock(speed * pace);
}

/** Runs one replay on an emulator with the namespace of the recordings. */
export async function withStage<T>(
  options: EmulatorOptions & { readonly speed?: number; readonly namespace?: string },
  play: (emulator: Emulator) => Promise<T>,
): Promise<T> {
  const { speed = 1, namespace = 'demo', ...emulatorOptions } = options;
  const emulator = await startEmulator({ clock: replayClock(speed), ...emulatorOptions });
  try {
    ensureNamespace(emulator.world, namespace);
    return await play(emulator);
  } finally {
    await emulator.stop();
  }
}

/** POSTs an object like kubectl. */
export async function post(emulator: Emulator, path: string, object: object): Promise<void> {
  const { status, body } = await exchange(emulator, { method: 'POST', path, body: JSON.stringify(object) });
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
}

export const postPod = (emulator: Emulator, pod: object) =>
  post(emulator, '/api/v1/namespaces/demo/pods', pod);

export const postJob = (emulator: Emulator, job: object, namespace = 'demo') =>
  post(emulator, `/apis/batch/v1/namespaces/${namespace}/jobs`, job);

/** Polls until the result satisfies the condition; returns the last result after the timeout. */
export async function eventually<T>(
  read: () => T,
  holds: (value: T) => boolean,
  milliseconds = 60_000 / pace,
): Promise<T> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const value = read();
    if (holds(value) || Date.now() > deadline) return value;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** The first pod, of the Job if there is one, once it satisfies the condition, or after the timeout. */
export function eventualPod(
  emulator: Emulator,
  holds: (pod: Pod) => boolean,
  job?: string,
): Promise<Pod | undefined> {
  return eventually(
    () => podsOf(emulator, job)[0],
    (pod) => pod !== undefined && holds(pod),
  );
}

/** The recorder read them from lists, whose items have no kind. */
export function withoutKind<T extends Pod | Job>({ kind, apiVersion, ...object }: T): T {
  return object as T;
}

export function podsOf({ world }: Emulator, job?: string): Pod[] {
  const pods = world.store.list<Pod>('pods');
  return job === undefined ? pods : pods.filter(({ metadata }) => metadata.labels?.['job-name'] === job);
}

/** Whether the main container has ended and the sidecar is running. */
export function isStuck({ status }: Pod): boolean {
  const states = (status.containerStatuses ?? []).map(({ state }) => state);
  return (
    states.length > 1 && states.some(({ terminated }) => terminated) && states.some(({ running }) => running)
  );
}
