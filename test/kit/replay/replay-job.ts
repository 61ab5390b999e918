import {
  type Emulator,
  type Job,
  type LightBehaviour,
  type Pod,
  type SteppedClock,
  steppedClock,
} from '../emulator/index.ts';
import { exchange } from './client.ts';
import { asPolled } from './compare.ts';
import { asApplied } from './manifests.ts';
import type { JobStep, Recording, WholeMoment } from './recording.ts';
import type { Replay } from './replayers.ts';
import { podsOf, postJob, withStage } from './stage.ts';

/** Enough for what follows from a step: a replacement comes 10 s after a failure. */
const settling = 20_000;

/** Recordings whose steps came at once. In the others, each step came when the one before it had settled. */
const atOnce: ReadonlySet<string> = new Set(['job-both-backoff-limits.json']);

const scripts: Readonly<Record<string, LightBehaviour>> = {
  'exit 0': { ends: { exitCode: 0 } },
  'sleep 12': { ends: { exitCode: 0, after: 12_000 } },
  'sleep 1000000': {},
  'trap "exit 143" TERM; while :; do sleep 1 & wait; done': { on: { SIGTERM: { exitCode: 143 } } },
};

const behaviours = (_pod: Pod, { image, command = [] }: { image: string; command?: string[] }) =>
  image.includes('noop') ? { user: 65_532, ends: { exitCode: 0 } } : scripts[command.at(-1) ?? ''];

/** Creates a recorded Job, does what was done, and records the Job and all its pods. */
export function replayJob(recording: Recording): Promise<Replay> {
  const jobBefore = recording.jobBefore as Job;
  const { metadata } = jobBefore;
  const { namespace = '' } = metadata;
  const clock = steppedClock();
  return withStage({ runtime: 'light', clock, namespace, behaviours }, async (emulator) => {
    const { store } = emulator.world;
    const read = () => store.get<Job>('jobs', namespace, metadata.name) as Job;
    const created: string[] = [];
    const pods = () =>
      created.flatMap((name) => podsOf(emulator).find((pod) => pod.metadata.name === name) ?? []);
    const moments: WholeMoment[] = [];
    const stop = store.subscribe(({ type, resource, object }) => {
      if (resource === 'pods' && type === 'ADDED') created.push(object.metadata.name);
      if (read()) moments.push(wholeMoment(read(), pods()));
    });
    await postJob(emulator, asApplied(jobBefore), namespace);
    await clock.advance(settling);
    const before = { jobBefore: read(), podsBefore: pods() };
    for (const step of [recording.done ?? []].flat()) {
      const index = recordedNames(recording).indexOf(podOf(step) ?? '');
      await take(step, { emulator, clock, namespace, pod: created[index] ?? '' });
      if (!atOnce.has(recording.file)) await clock.advance(settling);
    }
    await clock.advance(settling);
    stop();
    const aliases = new Map(
      [...created, ...recordedNames(recording)].map((name, index, { length }) => [
        name,
        `<pod ${index % (length / 2)}>`,
      ]),
    );
    const timeline = asPolled(recording, moments, aliases);
    const after = { podsAfter: pods(), jobAfter: read() };
    return { observations: { ...before, ...after, timeline }, aliases };
  });
}

function wholeMoment(job: Job, pods: readonly Pod[]): WholeMoment {
  const shown = ({ metadata, status }: Pod) => ({
    phase: status.phase,
    deleting: metadata.deletionTimestamp !== undefined,
    containers: (status.containerStatuses ?? []).map(({ name, image, containerID, restartCount, state }) => ({
      name,
      image,
      containerID: containerID?.slice(-8) ?? '',
      restartCount,
      state,
    })),
  });
  return { pods: Object.fromEntries(pods.map((pod) => [pod.metadata.name, shown(pod)])), job: job.status };
}

/** In the order in which the Job created them; which of several that came at once is which does not matter. */
function recordedNames({ podsBefore = [], timeline = [] }: Recording): readonly string[] {
  const later = (timeline as readonly WholeMoment[]).flatMap(({ pods }) => Object.keys(pods));
  return [...new Set([...podsBefore.map(({ metadata }) => metadata.name), ...later])];
}

function podOf({ patch, exec }: JobStep): string | undefined {
  return exec ?? /^pod\/(.+)$/.exec(patch ?? '')?.[1];
}

interface Stage {
  readonly emulator: Emulator;
  readonly clock: SteppedClock;
  readonly namespace: string;
  /** The replayed pod that the step is about. */
  readonly pod: string;
}

async function take(step: JobStep, { emulator, clock, namespace, pod }: Stage): Promise<void> {
  if (step.exec !== undefined) {
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}/exec`;
    const query = 'container=side&stderr=true&command=kill&command=-TERM&command=1';
    await exchange(emulator, { method: 'GET', path: `${path}?${query}`, protocols: ['v5.channel.k8s.io'] });
    return;
  }
  const job = /^job\/(.+)$/.exec(step.patch ?? '')?.[1];
  const path = job
    ? `/apis/batch/v1/namespaces/${namespace}/jobs/${job}`
    : `/api/v1/namespaces/${namespace}/pods/${pod}`;
  await exchange(emulator, { method: 'PATCH', path, body: JSON.stringify(step.operations) });
  await clock.advance(0);
}
