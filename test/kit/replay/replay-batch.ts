import { type Emulator, type Job, type Pod, steppedClock } from '../emulator/index.ts';
import { exchange } from './client.ts';
import { jobOf, namespaceOf } from './manifests.ts';
import type { Recording } from './recording.ts';
import type { Replay } from './replayers.ts';
import { podsOf, postJob, withStage } from './stage.ts';
import { watchJob } from './watch-job.ts';

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
    const { moments } = watchJob(emulator.world.store, read());
    const { batch = pods.length } = recording;
    for (let start = 0; start < pods.length; start += batch) {
      for (const pod of pods.slice(start, start + batch)) await swap(emulator, pod);
      await clock.advance(5 * seconds);
    }
    const { kind, apiVersion, ...pod } = podBefore;
    const aliases = new Map([
      [recording.podBefore?.metadata.name ?? '', '<pod>'],
      [podBefore.metadata.name, '<pod>'],
    ]);
    const observations = { podBefore: pod as Pod, timeline: moments, jobStatusAfter: read().status };
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
