import { beforeAll, expect, it } from 'vitest';
import {
  type Job,
  type JobManifest,
  type Pod,
  processesAvailable,
  sharedPidNamespaceAvailable,
} from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { recordedJob } from '../../kit/replay/manifests.ts';
import { type Recording, readRecording } from '../../kit/replay/recording.ts';
import { eventually } from '../../kit/replay/stage.ts';
import { startedOnce } from '../../kit/started.ts';
import { accountFor, ProcessCluster, sidecarReport } from './process-cluster.ts';

const swapFor = (image: string) => ({ lastResort: [{ imageSwap: { image } }] });
const quits = {
  name: 'quits',
  containers: ['istio-proxy'],
  images: ['distroless-sidecar'],
  steps: [{ http: { port: 15_020, path: '/quitquitquit' }, exitCode: 0 }],
};

/** Each sweep does with the product what was done by hand on the real cluster. */
const sweeps = {
  signal: { method: 'Signal', policy: {} },
  swap: { method: 'ImageSwap', policy: swapFor('docker.io/local/nop:1') },
  'swap-bare': { method: 'ImageSwap', policy: swapFor('docker.io/local/nopbare:1') },
  http: { method: 'Http', policy: { profiles: [quits] } },
  ephemeral: {
    method: 'EphemeralContainer',
    policy: { lastResort: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }] },
  },
  deadline: { method: 'Deadline', policy: { lastResort: [{ deadline: true }] } },
} as const;
type SweepName = keyof typeof sweeps;

/** For each recording: its Job, the equivalent sweep, and the sidecar's outcome in the report. */
const cases: readonly (readonly [recording: string, job: string, sweep: SweepName, outcome: object])[] = [
  ['term-clean-exit', 'never-clean', 'signal', { kind: 'Stopped', exitCode: 0 }],
  ['term-unclean-exit-reruns-job', 'never-unclean', 'signal', { kind: 'Stopped', exitCode: 143 }],
  ['onfailure-clean', 'onfailure-clean', 'signal', { kind: 'Stopped', exitCode: 0 }],
  ['onfailure-unclean-restarts', 'onfailure-unclean', 'signal', { kind: 'Restarted', restartCount: 1 }],
  ['main-failed', 'never-mainfailed-clean', 'signal', { kind: 'Stopped', exitCode: 0 }],
  ['nonroot', 'nonroot', 'signal', { kind: 'Stopped', exitCode: 0 }],
  ['pid1-without-handler', 'nohandler-pid1', 'signal', { kind: 'StillRunning', because: { kind: 'Immune' } }],
  ['pid1-ignores-term', 'ignore-term', 'signal', { kind: 'StillRunning' }],
  ['shell-wrapper', 'shell-wrapped', 'signal', { kind: 'Stopped', exitCode: 0 }],
  [
    'distroless-no-shell',
    'distroless-term0',
    'signal',
    { kind: 'StillRunning', because: { kind: 'NoSuchProgram', program: '/bin/sh' } },
  ],
  ['image-swap-ignores-term', 'ignore-term', 'swap', { kind: 'Stopped', exitCode: 0 }],
  ['image-swap-onfailure-unclean', 'onfailure-unclean', 'swap', { kind: 'Stopped', exitCode: 0 }],
  ['image-swap-pid1-without-handler', 'nohandler-pid1', 'swap', { kind: 'Stopped', exitCode: 0 }],
  ['image-swap-unclean', 'never-unclean', 'swap', { kind: 'Stopped', exitCode: 0 }],
  ['image-swap-distroless', 'distroless-term0', 'swap-bare', { kind: 'Stopped', exitCode: 0 }],
  ['image-swap-start-error', 'shared-pid', 'swap-bare', { kind: 'Stopped', exitCode: 128 }],
  ['portforward-quit', 'distroless-http', 'http', { kind: 'Stopped', exitCode: 0 }],
  ['ephemeral-container-term', 'ephemeral', 'ephemeral', { kind: 'Stopped', exitCode: 0 }],
  ['deadline-patch', 'deadline', 'deadline', { kind: 'Stopped' }],
];

const why = processesAvailable() ?? sharedPidNamespaceAvailable();

describeUnless(why, 'a sweep has the same result as the recording of a real cluster', () => {
  const cluster = startedOnce(() => ProcessCluster.start());

  beforeAll(async () => {
    for (const [recording, job, sweep] of cases) cluster.createJobFrom(jobToSweep(recording, job, sweep));
    await cluster.untilStuck();
    const options = Object.entries(sweeps).map(([name, { method, policy }]) => {
      const user = accountFor(cluster.emulator, name, method);
      return [name, { policy: { uncleanExit: 'allow', ...policy }, user }] as const;
    });
    await cluster.sweepAll(Object.fromEntries(options));
  });

  it.each(cases)('%s', async (name, _job, sweep, outcome) => {
    const recording = readRecording(`${name}.json`);
    const recorded = { pod: podEnd(recordedStatus(recording)), job: jobEnd(recordedJobStatus(recording)) };
    const left = () => ({
      pod: podEnd(cluster.podOf(name)?.status),
      job: recorded.job && jobEnd(cluster.job(name)?.status),
    });
    // The Job controller may count the pod shortly after the report.
    expect(
      await eventually(left, ({ job }) => JSON.stringify(job) === JSON.stringify(recorded.job), 5_000),
    ).toEqual(recorded);
    expect(sidecarReport(cluster.swept(sweep), name).outcome).toMatchObject(outcome);
  });
});

function jobToSweep(name: string, recorded: string, sweep: SweepName): JobManifest {
  const { spec } = recordedJob(recorded) as unknown as JobManifest;
  const { containers } = spec.template.spec;
  const sidecars = containers.flatMap((container) => (container.name === 'main' ? [] : [container.name]));
  const annotations = { 'sidecar-sweeper.dev/sidecars': sidecars.join(',') };
  return {
    metadata: { name },
    spec: { ...spec, template: { ...spec.template, metadata: { labels: { sweep }, annotations } } },
  };
}

function recordedStatus(recording: Recording): Pod['status'] {
  const { file, podBefore, podsAfter = [], podStatusAfter = [], statusAfter } = recording;
  const name = podBefore?.metadata.name;
  const after = podsAfter.find(({ metadata }) => name === undefined || metadata?.name === name);
  const status = statusAfter ?? after?.status ?? podStatusAfter.find((pod) => pod.name === name)?.status;
  if (!status) throw new Error(`${file} does not show the pod after`);
  return status;
}

function recordedJobStatus({ jobAfter, jobStatusAfter }: Recording): Job['status'] | undefined {
  return jobAfter?.status ?? jobStatusAfter;
}

/** The part of a pod's final status that must be equal, without times, IDs and addresses. */
function podEnd(status: Pod['status'] | undefined) {
  return (
    status && {
      phase: status.phase,
      reason: status.reason,
      containers: (status.containerStatuses ?? []).map(({ name, image, restartCount, state, lastState }) => ({
        name,
        image,
        restartCount,
        state: Object.keys(state),
        exitCode: state.terminated?.exitCode,
        reason: state.terminated?.reason,
        lastExitCode: lastState.terminated?.exitCode,
      })),
    }
  );
}

/** The counts of ended pods; the number of active pods depends on the moment. */
function jobEnd(status: Job['status'] | undefined) {
  return (
    status && {
      succeeded: status.succeeded,
      failed: status.failed,
      conditions: (status.conditions ?? []).map(({ type }) => type),
    }
  );
}
