import { isDeepStrictEqual } from 'node:util';
import type { Emulator, Job, KubeObject, Pod, Store } from '../emulator/index.ts';
import type { SendOptions } from './client.ts';
import { agrees, compare } from './compare.ts';
import { isOf124, podStatusOf } from './kubernetes-1-24.ts';
import { jobOf, namespaceOf, recordedJob } from './manifests.ts';
import { normalise } from './normalise.ts';
import type { Exchange, Moment, Observations, Recording } from './recording.ts';
import { adaptRequest, playExchanges, reachedPatchBack } from './replay-exchanges.ts';
import type { Replay } from './replayers.ts';
import { eventually, eventualPod, isStuck, podsOf, postJob, withoutKind, withStage } from './stage.ts';

export interface PodCase {
  /** Set if the recording has no initial pod. */
  readonly job?: string;
  readonly recordedName?: string;
  readonly speed?: number;
  /** From a container's end until the kubelet notices, where it must not race with the Job controller. */
  readonly noticeExit?: number;
  /** Reduces bodies to the part that the recorder kept. */
  readonly cut?: (body: Pod) => unknown;
  readonly send?: SendOptions['send'];
}

/** How long to wait, by the emulator's clock, for late changes before the comparison. */
const quietMilliseconds = 1500;

/** Runs a recording's Job with real processes, sends its requests and records the results. */
export function replayPod(recording: Recording, play: PodCase = {}): Promise<Replay> {
  const manifest = play.job ? recordedJob(play.job) : jobOf(recording);
  const job = manifest.metadata.name;
  const recordedName = play.recordedName ?? recording.podBefore?.metadata.name ?? '';
  const namespace = namespaceOf(recording);
  const pace = {
    ...(play.speed && { speed: play.speed }),
    ...(play.noticeExit && { timings: { noticeExit: play.noticeExit } }),
  };
  return withStage({ runtime: 'processes', namespace, ...pace }, async (emulator) => {
    await postJob(emulator, manifest, namespace);
    const podBefore = await untilReady(emulator, recording, job, recordedName);
    const { uid, name } = podBefore.metadata;
    const first = recording.timeline?.[0];
    const form = first && 'pod' in first ? 'Named' : 'WithImages';
    const { store } = emulator.world;
    const jobBefore = await untilSettled(emulator, recording, manifest);
    const moments = watchTimeline(store, podBefore, form);
    const players = { recordedName, pod: podBefore, job: jobBefore };
    const adapt = (recorded: Exchange) => adaptRequest(recording, recorded, players);
    const steps = await playExchanges(emulator, (recording.steps ?? []).map(adapt), play);
    const exchanges = await playExchanges(emulator, (recording.exchanges ?? []).map(adapt), play, () =>
      reachedPatchBack(recording, moments),
    );
    await new Promise<void>((resolve) => void emulator.clock.after(quietMilliseconds, resolve));
    const observe = (): Replay => {
      const aliases = aliasesOf(recording, recordedName, podsOf(emulator, job), name);
      const before = { podBefore: withoutKind(podBefore), jobBefore: shortOf(jobBefore) };
      const ended = { ...before, steps, exchanges, timeline: moments };
      return { observations: { ...ended, ...readAfter(emulator, recording, manifest, uid) }, aliases };
    };
    return eventually(observe, ({ observations, aliases }) =>
      agrees(compare(recording, observations, aliases)),
    );
  });
}

async function untilReady(
  emulator: Emulator,
  recording: Recording,
  job: string,
  recordedName: string,
): Promise<Pod> {
  const { podBefore } = recording;
  const ready = (pod: Pod) => {
    if (!podBefore) return isStuck(pod);
    const aliases = new Map([
      [recordedName, '<pod>'],
      [pod.metadata.name, '<pod>'],
    ]);
    const known = ({ status }: Pod) => normalise(isOf124(recording) ? podStatusOf(status) : status, aliases);
    return isDeepStrictEqual(known(pod), known(podBefore));
  };
  const pod = await eventualPod(emulator, ready, job);
  if (!pod) throw new Error(`Job ${job} has no pod`);
  return pod;
}

/** Waits until the Job is as recorded, if it was recorded. */
function untilSettled(emulator: Emulator, recording: Recording, { metadata }: KubeObject): Promise<Job> {
  const { jobBefore } = recording;
  const name = metadata.name;
  return eventually(
    () => emulator.world.store.get<Job>('jobs', namespaceOf(recording), name) as Job,
    (job) =>
      !jobBefore ||
      agrees(
        compare(
          { file: recording.file, kubernetes: recording.kubernetes ?? '', jobBefore },
          { jobBefore: shortOf(job) },
        ),
      ),
  );
}

function shortOf({ spec, status }: Job) {
  return { spec: { backoffLimit: spec.backoffLimit }, status };
}

function readAfter(
  emulator: Emulator,
  recording: Recording,
  { metadata }: KubeObject,
  uid: string,
): Observations {
  const { store } = emulator.world;
  const pods = originalFirst(podsOf(emulator, metadata.name), uid);
  const { spec, status } = store.get<Job>('jobs', namespaceOf(recording), metadata.name) ?? ({} as Job);
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

function aliasesOf(
  { podStatusAfter = [] }: Recording,
  recordedName: string,
  pods: readonly Pod[],
  name: string,
): Map<string, string> {
  const recordedOthers = podStatusAfter.map((pod) => pod.name).filter((each) => each !== recordedName);
  const others = pods.map(({ metadata }) => metadata.name).filter((each) => each !== name);
  return new Map([
    [recordedName, '<pod>'],
    [name, '<pod>'],
    ...[...recordedOthers, ...others].map((each) => [each, '<replacement>'] as const),
  ]);
}

/** Recordings have two forms of timelines: with the pod's name, or with images and last exit codes. */
type MomentForm = 'Named' | 'WithImages';

/** Records the states of a pod from now on, like the recorder. */
function watchTimeline(store: Store, pod: Pod, form: MomentForm): readonly Moment[] {
  const moments: Moment[] = [momentOf(pod, form)];
  store.subscribe(({ resource, type, object }) => {
    if (resource !== 'pods' || object.metadata.uid !== pod.metadata.uid) return;
    const moment: Moment = type === 'DELETED' ? { gone: true } : momentOf(object as Pod, form);
    if (!isDeepStrictEqual(moment, moments.at(-1))) moments.push(moment);
  });
  return moments;
}

function momentOf({ metadata, status }: Pod, form: MomentForm): Moment {
  const containers = (status.containerStatuses ?? []).map(
    ({ name, image, state, lastState, restartCount }) => {
      const [kind = ''] = Object.keys(state);
      const { terminated, waiting } = state;
      const last = form === 'WithImages' ? lastState.terminated : undefined;
      return {
        name,
        ...(form === 'WithImages' ? { image } : {}),
        state: kind,
        ...(terminated ? { exitCode: terminated.exitCode, reason: terminated.reason } : {}),
        ...(waiting ? { reason: waiting.reason } : {}),
        ...(last ? { lastExitCode: last.exitCode } : {}),
        restartCount,
      };
    },
  );
  return {
    ...(form === 'Named' ? { pod: metadata.name } : {}),
    phase: status.phase,
    ...(metadata.deletionTimestamp ? { deleting: true as const } : {}),
    containers,
  };
}
