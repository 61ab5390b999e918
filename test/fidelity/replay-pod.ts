import { isDeepStrictEqual } from 'node:util';
import type { Emulator, Job, Pod } from '../emulator/index.ts';
import { exchange, type SendOptions } from './client.ts';
import { agrees, compare } from './compare.ts';
import { jobNameOf, recordedJob } from './manifests.ts';
import { normalise } from './normalise.ts';
import type { Exchange, Observations, Recording } from './recording.ts';
import type { Replay } from './replayers.ts';
import { eventually, isStuck, podsOf, postJob, withStage } from './stage.ts';
import { watchTimeline } from './watch-timeline.ts';

/** How to replay a recording of a pod. */
export interface PodCase {
  /** Set if the recording has no initial pod. */
  readonly job?: string;
  readonly recordedName?: string;
  readonly speed?: number;
  /** Reduces bodies to the part that the recorder kept. */
  readonly cut?: (body: Pod) => unknown;
  readonly send?: SendOptions['send'];
}

/** How long to wait, by the emulator's clock, for late changes before the comparison. */
const quietMilliseconds = 1500;

/** Runs a recording's Job with real processes, sends its requests and records the results. */
export function replayPod(recording: Recording, play: PodCase = {}): Promise<Replay> {
  const job = play.job ?? (recording.podBefore ? jobNameOf(recording.podBefore) : '');
  const recordedName = play.recordedName ?? recording.podBefore?.metadata.name ?? '';
  return withStage(
    { runtime: 'processes', ...(play.speed ? { speed: play.speed } : {}) },
    async (emulator) => {
      await postJob(emulator, recordedJob(job));
      const podBefore = await untilReady(emulator, recording, job, recordedName);
      const { uid, name } = podBefore.metadata;
      const form = recording.timeline?.[0]?.pod === undefined ? 'WithImages' : 'Named';
      const { moments } = watchTimeline(emulator.world.store, podBefore, form);
      const adapt = (recorded: Exchange) => adaptRequest(recorded, recordedName, podBefore);
      const steps = await exchangeAll(emulator, (recording.steps ?? []).map(adapt), play);
      const exchanges = await exchangeAll(emulator, (recording.exchanges ?? []).map(adapt), play);
      await new Promise<void>((resolve) => void emulator.clock.after(quietMilliseconds, resolve));
      const observe = (): Replay => {
        const aliases = aliasesOf(recording, recordedName, podsOf(emulator, job), name);
        const ended = { podBefore: withoutKind(podBefore), steps, exchanges, timeline: moments };
        return { observations: { ...ended, ...readAfter(emulator, recording, job, uid) }, aliases };
      };
      return eventually(observe, ({ observations, aliases }) =>
        agrees(compare(recording, observations, aliases)),
      );
    },
  );
}

async function untilReady(
  emulator: Emulator,
  { podBefore }: Recording,
  job: string,
  recordedName: string,
): Promise<Pod> {
  const ready = (pod: Pod) => {
    if (!podBefore) return isStuck(pod);
    const aliases = new Map([
      [recordedName, '<pod>'],
      [pod.metadata.name, '<pod>'],
    ]);
    return isDeepStrictEqual(normalise(pod.status, aliases), normalise(podBefore.status, aliases));
  };
  const pod = await eventually(
    () => podsOf(emulator, job)[0],
    (found) => found !== undefined && ready(found),
  );
  if (!pod) throw new Error(`Job ${job} has no pod`);
  return pod;
}

function adaptRequest(recorded: Exchange, recordedName: string, { metadata }: Pod): Exchange {
  const { request } = recorded;
  const rename = (text: string) =>
    text
      .replaceAll(recordedName, metadata.name)
      .replace(/("path":"\/metadata\/uid","value":")[^"]+/, `$1${metadata.uid}`);
  return {
    ...recorded,
    request: {
      ...request,
      path: rename(request.path),
      ...(request.body === undefined ? {} : { body: rename(request.body) }),
    },
  };
}

async function exchangeAll(
  emulator: Emulator,
  recorded: readonly Exchange[],
  { cut, send }: PodCase,
): Promise<Exchange[]> {
  const replayed: Exchange[] = [];
  for (const { request, headers } of recorded) {
    const seen = await exchange(emulator, request, send ? { send } : {});
    // Some recordings have no headers of HTTP answers.
    const { headers: answered, ...rest } = seen;
    const kept =
      headers === undefined && seen.frames === undefined
        ? rest
        : { ...rest, ...(answered ? { headers: answered } : {}) };
    replayed.push(cut && seen.body !== undefined ? { ...kept, body: cut(seen.body as Pod) } : kept);
  }
  return replayed;
}

function readAfter(emulator: Emulator, recording: Recording, job: string, uid: string): Observations {
  const { store } = emulator.world;
  const pods = originalFirst(podsOf(emulator, job), uid);
  const { spec, status } = store.get<Job>('jobs', 'demo', job) ?? ({} as Job);
  return {
    podsAfter: pods.map((pod) => shapedAs(recording.podsAfter?.[0], pod)),
    podStatusAfter: pods.map((pod) => ({ name: pod.metadata.name, status: pod.status })),
    ...(pods[0] ? { statusAfter: pods[0].status } : {}),
    jobAfter: { spec: { backoffLimit: spec?.backoffLimit }, status },
    jobStatusAfter: status,
  };
}

/** The whole pod, or only its name and status, as in the recording. */
function shapedAs(recorded: object | undefined, pod: Pod): Partial<Pod> {
  if (recorded && 'metadata' in recorded) return withoutKind(pod);
  return { name: pod.metadata.name, status: pod.status };
}

function originalFirst(pods: readonly Pod[], uid: string): Pod[] {
  return [...pods].sort(
    (one, other) => Number(other.metadata.uid === uid) - Number(one.metadata.uid === uid),
  );
}

/** Equivalent names for the pod and its replacement. */
function aliasesOf(
  { podStatusAfter = [] }: Recording,
  recordedName: string,
  pods: readonly Pod[],
  name: string,
): Map<string, string> {
  const other = (names: readonly string[], own: string) => names.filter((each) => each !== own);
  const recordedOthers = other(
    podStatusAfter.map((pod) => pod.name),
    recordedName,
  );
  const others = other(
    pods.map(({ metadata }) => metadata.name),
    name,
  );
  return new Map([
    [recordedName, '<pod>'],
    [name, '<pod>'],
    ...recordedOthers.map((each) => [each, '<replacement>'] as const),
    ...others.map((each) => [each, '<replacement>'] as const),
  ]);
}

/** The recorder read pods from lists, whose items have no kind. */
function withoutKind({ kind, apiVersion, ...pod }: Pod): Pod {
  return pod as Pod;
}
