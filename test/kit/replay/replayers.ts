import { existsSync } from 'node:fs';
import type { Pod } from '../emulator/index.ts';
import { exchangeCases } from './exchange-cases.ts';
import type { Aliases } from './normalise.ts';
import type { Observations, Recording } from './recording.ts';
import { replayBatch, replayWatch } from './replay-batch.ts';
import { replayExchanges } from './replay-exchanges.ts';
import { replayJob } from './replay-job.ts';
import { type PodCase, replayPod } from './replay-pod.ts';
import { replaySession } from './replay-session.ts';

export interface Replay {
  readonly observations: Observations;
  readonly aliases: Aliases;
}

/** Recorded answers to PATCH contain only the images, the deadline or the ephemeral containers. */
const images = ({ kind, spec }: Pod) => ({
  kind,
  containers: spec.containers.map(({ name, image }) => ({ name, image })),
});

const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

const quitPod = { job: 'distroless-http', recordedName: 'distroless-http-mhk9p' };

/** How to replay recordings of a Job and its first pod that need more than the recorded requests. */
const podCases: Readonly<Record<string, PodCase>> = {
  // The no-op restarts four times, after back-offs of 10 and 20 seconds.
  'container-restarts-always-swap': { speed: 8, cut: images },
  // Its main container restarts three times, after back-offs of 10, 20 and 40 seconds.
  'crashlooping-main-is-not-done': { speed: 8 },
  'deadline-patch': {
    job: 'deadline',
    recordedName: 'deadline-9rzp5',
    cut: ({ kind, spec: { activeDeadlineSeconds } }) => ({ spec: { activeDeadlineSeconds }, kind }),
  },
  'ephemeral-container-term': {
    job: 'ephemeral',
    recordedName: 'ephemeral-tvgbq',
    cut: ({ spec: { ephemeralContainers } }) => ({ spec: { ephemeralContainers } }),
  },
  'exec-v4': { job: 'ignore-term', recordedName: 'ignore-term-v9n28' },
  'image-swap-command-missing': { cut: images },
  'image-swap-distroless': { cut: images },
  'image-swap-ignores-term': { cut: images },
  // The no-op starts and ends within the second before the Job controller deletes its pod, on a busy machine as well.
  'image-swap-onfailure-backoff-one-fails': { speed: 0.5, noticeExit: 20 },
  'image-swap-onfailure-unclean': { cut: images },
  'image-swap-pid1-without-handler': { cut: images },
  'image-swap-start-error': { cut: images },
  'image-swap-start-error-onfailure': { speed: 2 },
  'image-swap-unclean': { cut: images },
  'job-backoff-zero-onfailure-deletes-pod': { speed: 0.2 },
  'portforward-closed-port': quitPod,
  'portforward-quit': { ...quitPod, send: { channel: 0, text: post('/quitquitquit'), afterFrames: 2 } },
  'portforward-wrong-path': { ...quitPod, send: { channel: 0, text: post('/nope'), afterFrames: 2 } },
};

/** Jobs with many pods; what their processes do does not matter. */
const batches: ReadonlySet<string> = new Set([
  'image-swap-onfailure-staged',
  'image-swap-onfailure-wave-fails',
]);

/** Jobs with all their pods before and after; the light runtime does what their commands do. */
const jobs: ReadonlySet<string> = new Set([
  'image-swap-after-own-end',
  'image-swap-poststart',
  'job-backoff-limit-lowered',
  'job-both-backoff-limits',
  'job-work-queue-after-success',
]);

export function needsProcesses(name: string): boolean {
  if (batches.has(name) || jobs.has(name)) return false;
  return exchangeCases[name] ? exchangeCases[name].options?.runtime === 'processes' : true;
}

/** Why this machine cannot replay a recording: the emulator's containers use the host's programs. */
export function missingFor(name: string): string | undefined {
  const needsKill = name === 'watch-pod-ends';
  return needsKill && !existsSync('/usr/bin/kill') && !existsSync('/bin/kill')
    ? 'needs /bin/kill (procps)'
    : undefined;
}

export function replayerOf(name: string): (recording: Recording) => Promise<Replay> {
  const exchangeCase = exchangeCases[name];
  if (exchangeCase) return (recording) => replayExchanges(recording, exchangeCase);
  if (batches.has(name)) return replayBatch;
  if (jobs.has(name)) return replayJob;
  switch (name) {
    case 'watch-pod-ends':
      return replayWatch;
    case 'pods-after':
      return async () => (await replaySession()).pods;
    case 'jobs-after':
      return async () => (await replaySession()).jobs;
    default:
      return (recording) => replayPod(recording, podCases[name]);
  }
}
