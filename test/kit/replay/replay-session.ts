import type { Emulator, Job, Pod } from '../emulator/index.ts';
import { exchange } from './client.ts';
import { agrees, compare } from './compare.ts';
import { recordedJobs } from './manifests.ts';
import { type Exchange, readRecording, recordingFiles } from './recording.ts';
import type { Replay } from './replayers.ts';
import { eventually, eventualPod, podsOf, postJob, replayClock, withoutKind, withStage } from './stage.ts';

interface Session {
  readonly pods: Replay;
  readonly jobs: Replay;
}

let session: Promise<Session> | undefined;

/** Replays the whole first session: all Jobs at once, then all requests to their pods. Two recordings share it. */
export function replaySession(): Promise<Session> {
  session ??= play();
  return session;
}

/** Makes the next call replay the session again. */
export function forgetSession(): void {
  session = undefined;
}

/** These came last, shortly before the whole cluster was recorded: the deadline's pod had no successor yet. */
const last = ['portforward-quit', 'ephemeral-container-term', 'deadline-patch'];
const post =
  'POST /quitquitquit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

function play(): Promise<Session> {
  // The crash-looping pod had restarted five times, which takes half a minute at ten times the speed.
  const clock = replayClock(10);
  return withStage({ runtime: 'processes', clock }, async (emulator) => {
    // From then on, the states of the recorded moment last as long as on the real cluster: the pod restarts
    // again after 160 s, and the Job whose pod exceeds its deadline creates another one after 10 s.
    const { store } = emulator.world;
    const stop = store.subscribe(({ object }) => {
      if (!hasCrashed(object as Pod)) return;
      clock.pace(1);
      stop();
    });
    for (const job of recordedJobs()) await postJob(emulator, job);
    await eventually(
      () => podsOf(emulator),
      (pods) => pods.length === 21 && pods.every(mainIsOver),
    );
    const names = recordedNames();
    for (const file of recordingFiles) {
      const { steps = [], podBefore } = readRecording(file);
      const isOfSession = podBefore !== undefined && names.has(podBefore.metadata.name);
      if (isOfSession) for (const step of steps) await repeat(emulator, step);
    }
    await eventualPod(emulator, hasCrashed, 'onfailure-main-crashloop');
    for (const name of last) {
      for (const step of readRecording(`${name}.json`).exchanges ?? []) await repeat(emulator, step);
    }
    return eventually(() => observe(emulator), agreesWithRecordings, 30_000);
  });
}

/** The recordings of this session; the image swaps were another session with other pods. */
function recordedNames(): ReadonlySet<string> {
  return new Set(readRecording('pods-after.json').items?.map(({ metadata }) => metadata.name));
}

/** Whether it is the crash-looping pod in the recorded state. */
function hasCrashed({ metadata, status }: Pod): boolean {
  const main = status?.containerStatuses?.[0];
  const isIt = metadata.labels?.['job-name'] === 'onfailure-main-crashloop';
  return isIt && main?.restartCount === 5 && main.state.terminated !== undefined;
}

function mainIsOver({ metadata, status }: Pod): boolean {
  const main = status.containerStatuses?.find(({ name }) => name === 'main');
  return main?.state.terminated !== undefined || metadata.labels?.['job-name'] === 'still-running';
}

/** Repeats a recorded request on the Job's first pod. */
async function repeat(emulator: Emulator, { request }: Exchange): Promise<void> {
  const recordedName = /\/pods\/([^/?]+)/.exec(request.path)?.[1] ?? '';
  const job = recordedName.replace(/-[a-z0-9]{5}$/, '');
  const [pod] = bySeniority(podsOf(emulator, job));
  if (!pod) throw new Error(`Job ${job} has no pod`);
  const path = request.path.replace(recordedName, pod.metadata.name);
  const send = path.includes('/portforward') ? { send: { channel: 0, text: post, afterFrames: 2 } } : {};
  await exchange(emulator, { ...request, path }, send);
}

function bySeniority(pods: readonly Pod[]): Pod[] {
  const key = ({ metadata }: Pod) => `${metadata.labels?.['job-name']} ${metadata.creationTimestamp}`;
  return [...pods].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

function observe(emulator: Emulator): Session {
  const pods = podsOf(emulator);
  const jobs = emulator.world.store.list<Job>('jobs', 'demo');
  return {
    pods: { observations: { items: pods.map(withoutKind) }, aliases: aliasesOf(pods) },
    jobs: { observations: { items: jobs.map(withoutKind) }, aliases: new Map() },
  };
}

/** Equivalent names for a Job's pods, numbered by age in the recording and in the replay. */
function aliasesOf(pods: readonly Pod[]): Map<string, string> {
  const recorded = (readRecording('pods-after.json').items ?? []) as Pod[];
  return new Map([...numbered(recorded), ...numbered(pods)]);
}

function numbered(pods: readonly Pod[]): [string, string][] {
  const counts = new Map<string, number>();
  return bySeniority(pods).map(({ metadata }) => {
    const job = metadata.labels?.['job-name'] ?? '';
    const count = (counts.get(job) ?? 0) + 1;
    counts.set(job, count);
    return [metadata.name, `${job}-<${count}>`];
  });
}

function agreesWithRecordings({ pods, jobs }: Session): boolean {
  const same = (file: string, { observations, aliases }: Replay) =>
    agrees(compare(readRecording(file), observations, aliases));
  return same('pods-after.json', pods) && same('jobs-after.json', jobs);
}
