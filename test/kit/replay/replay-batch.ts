import { isDeepStrictEqual } from 'node:util';
import { type Emulator, type Job, type Pod, type Store, steppedClock } from '../emulator/index.ts';
import { exchange } from './client.ts';
import { barePod, jobOf, namespaceOf } from './manifests.ts';
import type { JobMoment, Recording } from './recording.ts';
import type { Replay } from './replayers.ts';
import { eventualPod, isStuck, podsOf, postJob, postPod, withoutKind, withStage } from './stage.ts';

const noOp = 'registry.example.com/sidecar-sweeper-noop:0.1.0';

/** The behaviours that the recorded commands have: main ends after two seconds, the sidecar on TERM. */
const behaviours = (_pod: Pod, { name, image }: { readonly name: string; readonly image: string }) => {
  if (image === noOp) return { ends: { exitCode: 0 } };
  return name === 'main' ? { ends: { exitCode: 0, after: 2000 } } : { on: { SIGTERM: { exitCode: 0 } } };
};

const seconds = 1000;

/** Swaps the sidecars of a Job's stuck pods, so many at a time; the next ones when these have ended. */
export function replayBatch(recording: Recording): Promise<Replay> {
  const namespace = namespaceOf(recording);
  const clock = steppedClock();
  return withStage({ runtime: 'light', behaviours, clock, namespace }, async (emulator) => {
    const manifest = jobOf(recording);
    await postJob(emulator, manifest, namespace);
    await clock.advance(5 * seconds);
    const read = () => emulator.world.store.get<Job>('jobs', namespace, manifest.metadata.name) as Job;
    const pods = podsOf(emulator);
    const [podBefore] = pods;
    if (!podBefore) throw new Error(`Job ${manifest.metadata.name} has no pod`);
    const moments = watchJob(emulator.world.store, read());
    const { batch = pods.length } = recording;
    for (let start = 0; start < pods.length; start += batch) {
      for (const pod of pods.slice(start, start + batch)) await swap(emulator, pod);
      await clock.advance(5 * seconds);
    }
    const aliases = new Map([
      [recording.podBefore?.metadata.name ?? '', '<pod>'],
      [podBefore.metadata.name, '<pod>'],
    ]);
    const before = withoutKind(podBefore);
    const observations = { podBefore: before, timeline: moments, jobStatusAfter: read().status };
    return { observations, aliases };
  });
}

async function swap(emulator: Emulator, { metadata }: Pod): Promise<void> {
  const body = JSON.stringify([
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'replace', path: '/spec/containers/1/image', value: noOp },
  ]);
  const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
  await exchange(emulator, { method: 'PATCH', path, body });
}

/** Records the states of a Job and its pods from now on, like the recorder. */
function watchJob(store: Store, { metadata }: Job): readonly JobMoment[] {
  const moments: JobMoment[] = [];
  const look = () => {
    const job = store.get<Job>('jobs', metadata.namespace, metadata.name);
    const pods = store
      .list<Pod>('pods', metadata.namespace)
      .filter((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));
    const moment = job && momentOf(job, pods);
    if (moment && !isDeepStrictEqual(moment, moments.at(-1))) moments.push(moment);
  };
  look();
  store.subscribe(look);
  return moments;
}

function momentOf({ status }: Job, pods: readonly Pod[]): JobMoment {
  const statuses = pods.flatMap(({ status }) =>
    status.phase === 'Running' ? (status.containerStatuses ?? []) : [],
  );
  const phases = new Map<string, number>();
  for (const { metadata, status } of pods) {
    const phase = metadata.deletionTimestamp ? `${status.phase}/deleting` : status.phase;
    phases.set(phase, (phases.get(phase) ?? 0) + 1);
  }
  const { active, succeeded, failed } = status;
  const conditions = (status.conditions ?? [])
    .filter(({ type }) => type === 'Complete' || type === 'Failed')
    .map(({ type, reason }) => (type === 'Complete' ? type : `${type}:${reason}`));
  return {
    pods: Object.fromEntries(phases),
    restarts: statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    job: {
      ...(active ? { active } : {}),
      ...(succeeded ? { succeeded } : {}),
      ...(failed ? { failed } : {}),
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  };
}

const terminate =
  '/api/v1/namespaces/demo/pods/r4-a/exec?command=kill&command=-15&command=1&container=sidecar&stdout=true';

/** Watches a stuck pod while its sidecar ends, until the server ends the watch. */
export function replayWatch(recording: Recording): Promise<Replay> {
  return withStage({ runtime: 'processes', speed: 2 }, async (emulator) => {
    await postPod(emulator, barePod('r4-a'));
    await eventualPod(emulator, isStuck);
    const [recorded] = recording.exchanges ?? [];
    if (!recorded) throw new Error('the recording has no watch');
    const { request } = recorded;
    const from = String(emulator.world.store.resourceVersion);
    const path = request.path.replace(/resourceVersion=\d+/, `resourceVersion=${from}`);
    const watching = exchange(emulator, { method: 'GET', path }, { lines: true });
    await exchange(emulator, { method: 'GET', path: terminate, protocols: ['v5.channel.k8s.io'] });
    const { status = 0, body } = await watching;
    const events = [...(body as object[]), { ended: true }];
    const podAfter = (podsOf(emulator)[0] as Pod).status;
    return { observations: { exchanges: [{ request, status, events, podAfter }] }, aliases: new Map() };
  });
}
