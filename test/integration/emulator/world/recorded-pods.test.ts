import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emulatorClock } from '../../../emulator/clock.ts';
import type { Job, Pod } from '../../../emulator/world/objects.ts';
import {
  processesAvailable,
  sharedPidNamespaceAvailable,
} from '../../../emulator/world/runtime/processes.ts';
import { createWorld, type World } from '../../../emulator/world/world.ts';
import { describeUnless } from '../../../needs.ts';
import { act } from './support/act.ts';
import { manifestSpec, normalised, type Recording, readRecording } from './support/recording.ts';
import { timelineEntry } from './support/timeline.ts';
import { until } from './support/until.ts';

const NAMES = [
  'distroless-no-shell',
  'image-swap-command-missing',
  'image-swap-distroless',
  'image-swap-ignores-term',
  'image-swap-onfailure-unclean',
  'image-swap-pid1-without-handler',
  'image-swap-start-error',
  'image-swap-unclean',
  'main-failed',
  'nonroot',
  'onfailure-clean',
  'onfailure-unclean-restarts',
  'pid1-ignores-term',
  'pid1-without-handler',
  'portforward-quit',
  'shared-pid-namespace',
  'shell-wrapper',
  'term-clean-exit',
  'term-unclean-exit-reruns-job',
];

const unavailable = processesAvailable() ?? sharedPidNamespaceAvailable();

describeUnless(unavailable, 'Recorded pods, run as real processes', () => {
  let world: World;
  const runs = new Map<string, Run>();

  beforeAll(async () => {
    world = createWorld({ clock: emulatorClock(), runtime: 'processes' });
    await Promise.all(
      NAMES.map(async (name) => runs.set(name, await run(world, name, readRecording<Recording>(name)))),
    );
  });
  afterAll(() => world.stop());

  describe.each(NAMES)('%s', (name) => {
    const recording = readRecording<Recording>(name);

    it('is admitted with the spec that the real API server gave it', () => {
      expect(normalised(runOf(name).pod.spec)).toEqual(normalised(recording.podBefore.spec));
    });

    it('stands before the act as it was recorded', () => {
      expect(normalised(runOf(name).before)).toEqual(normalised(recording.podBefore.status));
    });

    const { timeline } = recording;
    if (timeline) {
      it('goes through the recorded states, in order and with no other in between', () => {
        const recorded = timeline.map(({ phase, containers }) => ({ phase, containers }));
        expect(runOf(name).timeline).toEqual(recorded);
      });
    }

    it('ends as it was recorded', () => {
      expect(runOf(name).statuses.map(normalised)).toContainEqual(normalised(statusAfter(recording)));
    });

    const jobAfter = jobStatusAfter(recording);
    if (jobAfter) {
      it('leaves its Job as it was recorded', () => {
        expect(runOf(name).jobStatuses.map(normalised)).toContainEqual(normalised(jobAfter));
      });
    }
  });

  function runOf(name: string): Run {
    const found = runs.get(name);
    if (!found) throw new Error(`${name} has not been run`);
    return found;
  }
});

interface Run {
  readonly pod: Pod;
  readonly before: Pod['status'];
  readonly timeline: unknown[];
  readonly statuses: Pod['status'][];
  readonly jobStatuses: Job['status'][];
}

/** Runs the recorded pod's Job, does what was done to the pod, and keeps what was written from then on. */
async function run(world: World, name: string, recording: Recording): Promise<Run> {
  const { store } = world;
  const created = world.createJob({
    metadata: { name, namespace: 'demo' },
    spec: { backoffLimit: 2, template: { spec: manifestSpec(recording.podBefore) } },
  });
  const job = () => store.get<Job>('jobs', 'demo', name) ?? created;
  const find = () =>
    store.list<Pod>('pods', 'demo').find((pod) => pod.metadata.labels?.['job-name'] === name);
  const seen = (states: readonly unknown[], state: unknown) =>
    state === undefined || states.some((each) => isDeepStrictEqual(normalised(each), normalised(state)));

  await until(() => seen([find()?.status ?? {}], recording.podBefore.status), 10_000);
  await until(() => seen([job().status], { ...job().status, ready: 0 }), 5_000);
  const pod = find();
  if (!pod) throw new Error(`the Job ${name} has no pod`);
  const statuses: Pod['status'][] = [pod.status];
  const jobStatuses: Job['status'][] = [job().status];
  const stop = store.subscribe(({ object }) => {
    if (object.metadata.uid === pod.metadata.uid) statuses.push(object['status'] as Pod['status']);
    if (object.metadata.uid === created.metadata.uid) jobStatuses.push(object['status'] as Job['status']);
  });

  await act(world, pod, recording);
  await until(
    () => seen(statuses, statusAfter(recording)) && seen(jobStatuses, jobStatusAfter(recording)),
    20_000,
  );
  // Nothing else may follow.
  await setTimeout(1_000);
  stop();
  const entries = statuses.map((status) =>
    JSON.stringify(timelineEntry(status, recording.exchanges !== undefined)),
  );
  const timeline = entries
    .filter((entry, index) => entry !== entries[index - 1])
    .map((entry) => JSON.parse(entry));
  return { pod, before: pod.status, timeline, statuses, jobStatuses };
}

function jobStatusAfter(recording: Recording): Job['status'] | undefined {
  return recording.jobAfter?.status ?? recording.jobStatusAfter;
}

function statusAfter(recording: Recording): Pod['status'] | undefined {
  const { name } = recording.podBefore.metadata;
  return (
    recording.podsAfter?.find(({ metadata }) => metadata.name === name)?.status ??
    recording.podStatusAfter?.find((each) => each.name === name)?.status ??
    recording.statusAfter
  );
}
