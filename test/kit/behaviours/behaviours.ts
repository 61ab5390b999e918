import { expect } from 'vitest';
import type { ContainerOutcome, PodOutcome } from '../../../src/model/outcome.ts';
import { type Images, onTerm, type StuckJob, shell } from './jobs.ts';

/** A Job with a sidecar, and the expected result of one sweep, both on the emulator and on a real cluster. */
export interface Behaviour
  extends Pick<StuckJob, 'name' | 'main' | 'restartPolicy' | 'annotations' | 'shareProcessNamespace'> {
  readonly title: string;
  readonly sidecar: SidecarSpec;
  /** The sweep that covers it. */
  readonly sweep?: SweepName;
  /** Undefined if the pod is not a candidate, so that the report omits it. */
  readonly expected: Expected | undefined;
}

interface SidecarSpec {
  /** `quits` ends on an HTTP request to /quitquitquit on port 15020 of its loopback. */
  readonly image: 'shell' | 'shellLess' | 'quits';
  readonly command?: readonly string[];
  readonly runAsUser?: number;
  /** An init container with restartPolicy Always. */
  readonly native?: boolean;
}

interface Expected {
  /** A subset of the outcome. */
  readonly sidecar: Partial<ContainerOutcome>;
  readonly pod: PodOutcome;
  /** The methods that were tried, in order. */
  readonly methods?: readonly string[];
}

/** Sweeps with different flags or policies. Each covers only its own pods. */
export type SweepName = 'plain' | 'http' | 'tombstone' | LastResort;
type LastResort = 'image-swap' | 'ephemeral-container' | 'deadline' | 'evict' | 'delete';

const listed = { 'sidecar-sweeper.dev/sidecars': 'sidecar' };
const argoKey = 'workflows.argoproj.io/kill-cmd-sidecar';

const clean: Expected = {
  sidecar: { kind: 'Stopped', exitCode: 0 },
  pod: { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } },
};
const survives: Expected = {
  sidecar: { kind: 'StillRunning', because: { kind: 'Outlived' } },
  pod: { kind: 'Stuck' },
};

export const behaviours: readonly Behaviour[] = [
  {
    name: 'clean',
    title: 'a sidecar that exits 0 on TERM lets its pod succeed and its Job complete',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: { ...clean, methods: ['Signal'] },
  },
  {
    name: 'peer-annotation',
    title: "k8s-controller-sidecars: the pod's annotation names the sidecar, with or without spaces",
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: { 'nrmitchi.com/sidecars': 'logging, sidecar' },
    expected: clean,
  },
  {
    name: 'argo',
    title: "Argo Workflows: the annotation's command runs with the signal's number",
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: { [argoKey]: '["sh", "-c", "kill -%d 1"]' },
    expected: { ...clean, methods: ['Command'] },
  },
  {
    name: 'argo-bad',
    title: 'an invalid kill command is reported, and nothing else is tried',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: { [argoKey]: 'kill -%d 1' },
    expected: {
      sidecar: { kind: 'Skipped', reason: { kind: 'BadKillCommand', key: argoKey, problem: 'not JSON' } },
      pod: { kind: 'Skipped', reason: { kind: 'BadKillCommand', key: argoKey, problem: 'not JSON' } },
    },
  },
  {
    name: 'unclean',
    title: 'a sidecar that exits 143 fails its pod and reruns the Job, and the report says so',
    sidecar: { image: 'shell', command: onTerm('exit 143') },
    annotations: listed,
    expected: {
      sidecar: { kind: 'Stopped', exitCode: 143 },
      pod: { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } },
    },
  },
  {
    name: 'main-failed',
    title: 'a pod whose main container failed fails',
    main: shell('sleep 1; exit 7'),
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: {
      sidecar: { kind: 'Stopped', exitCode: 0 },
      pod: { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } },
    },
  },
  {
    name: 'no-handler',
    title: 'a PID 1 without handlers is immune to signals from inside, which is reported at once',
    sidecar: { image: 'shell', command: ['sleep', '100000'] },
    annotations: listed,
    expected: {
      sidecar: { kind: 'StillRunning', because: { kind: 'Immune', message: expect.any(String) } },
      pod: { kind: 'Stuck' },
      methods: ['Signal', 'Signal'],
    },
  },
  {
    name: 'ignores-term',
    title: 'a PID 1 that ignores TERM and restarts its children keeps running, despite a successful exec',
    sidecar: { image: 'shell', command: shell('trap "" TERM; while :; do sleep 1 & wait; done') },
    annotations: listed,
    expected: survives,
  },
  {
    name: 'wrapper',
    title: 'a shell that waits for its child ends when the child gets the signal',
    sidecar: { image: 'shell', command: shell('sleep 100000; echo bye') },
    annotations: listed,
    expected: clean,
  },
  {
    name: 'no-shell',
    title: 'an image without a shell is reported',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: {
      sidecar: { kind: 'StillRunning', because: { kind: 'NoSuchProgram', program: '/bin/sh' } },
      pod: { kind: 'Stuck' },
    },
  },
  {
    name: 'other-user',
    title: "exec runs as the container's user and may signal its process",
    sidecar: { image: 'shell', command: onTerm('exit 0'), runAsUser: 1337 },
    annotations: listed,
    expected: clean,
  },
  {
    name: 'onfailure-clean',
    title: 'under OnFailure, a sidecar that exits 0 does not restart',
    restartPolicy: 'OnFailure',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: clean,
  },
  {
    name: 'onfailure-unclean',
    title: 'under OnFailure, a sidecar that exits 143 restarts and gets no further signal',
    restartPolicy: 'OnFailure',
    sidecar: { image: 'shell', command: onTerm('exit 143') },
    annotations: listed,
    expected: { sidecar: { kind: 'Restarted', exitCode: 143, restartCount: 1 }, pod: { kind: 'Stuck' } },
  },
  {
    name: 'shared-pid',
    title: "in a shared PID namespace, only the sidecar's processes get the signal, not the pause process",
    shareProcessNamespace: true,
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: clean,
  },
  {
    name: 'still-working',
    title: 'a pod whose main container is running is left alone',
    main: ['sleep', '100000'],
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: undefined,
  },
  {
    name: 'crash-loop',
    title: 'a main container between two restarts is not done',
    main: shell('sleep 1; exit 7'),
    restartPolicy: 'OnFailure',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: undefined,
  },
  {
    name: 'unknown',
    title: 'a container that no source declares a sidecar is a main container',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    expected: undefined,
  },
  {
    name: 'native',
    title: 'the kubelet ends a native sidecar; the sweep leaves it alone',
    sidecar: { image: 'shell', command: onTerm('exit 0'), native: true },
    annotations: listed,
    expected: undefined,
  },
  {
    name: 'http-quit',
    title: 'http: the request reaches the endpoint on the loopback through port-forward',
    sweep: 'http',
    sidecar: { image: 'quits' },
    expected: { ...clean, methods: ['Http'] },
  },
  {
    name: 'tombstone',
    title: 'tombstone: a file in the container ends the sidecar',
    sweep: 'tombstone',
    sidecar: { image: 'shell', command: shell('until [ -e /tmp/exit ]; do sleep 1; done') },
    expected: { ...clean, methods: ['Tombstone'] },
  },
  {
    name: 'image-swap',
    title: 'image-swap: the kubelet ends a sidecar without a shell, and the pod succeeds',
    sweep: 'image-swap',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: { ...clean, methods: ['Signal', 'Signal', 'ImageSwap'] },
  },
  {
    name: 'ephemeral-container',
    title: 'ephemeral-container: a signal from an ephemeral container ends a sidecar without a shell',
    sweep: 'ephemeral-container',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: { ...clean, methods: ['Signal', 'Signal', 'EphemeralContainer'] },
  },
  {
    name: 'deadline',
    title: 'deadline: the pod fails and the Job reruns',
    sweep: 'deadline',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: {
      sidecar: { kind: 'Stopped' },
      pod: { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } },
      methods: ['Signal', 'Signal', 'Deadline'],
    },
  },
  {
    name: 'evict',
    title: 'evict: the pod no longer exists',
    sweep: 'evict',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: {
      sidecar: { kind: 'Gone' },
      // Both containers end with 0, so that the pod succeeds before it is removed.
      pod: { kind: 'Gone', job: { kind: 'Complete' } },
      methods: ['Signal', 'Signal', 'Evict'],
    },
  },
  {
    name: 'delete',
    title: 'delete: the pod no longer exists',
    sweep: 'delete',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: {
      sidecar: { kind: 'Gone' },
      // Both containers end with 0, so that the pod succeeds before it is removed.
      pod: { kind: 'Gone', job: { kind: 'Complete' } },
      methods: ['Signal', 'Signal', 'Delete'],
    },
  },
];

/** The Job of a behaviour, with short grace periods so that the suite takes seconds. */
export function jobOf({ sidecar, sweep = 'plain', ...behaviour }: Behaviour, images: Images): StuckJob {
  const quits = sidecar.image === 'quits' ? images.quits : undefined;
  const command = quits?.command ?? sidecar.command;
  const user = sidecar.runAsUser;
  return {
    ...behaviour,
    grace: 3,
    labels: { sweep },
    isNative: sidecar.native ?? false,
    sidecar: {
      // The profiles of the sweeps' policies match this name.
      name: sweep === 'http' || sweep === 'tombstone' ? sweep : 'sidecar',
      image: sidecar.image === 'quits' ? images.quits.image : images[sidecar.image],
      ...(command && { command }),
      ...(user && { securityContext: { runAsUser: user, runAsGroup: user } }),
    },
  };
}
