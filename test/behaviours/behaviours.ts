import type { ContainerOutcome, PodOutcome } from '../../src/vocabulary.ts';

/** A Job with a sidecar, and what one sweep has to make of it: the same on the emulator and on a real cluster. */
export interface Behaviour {
  readonly name: string;
  readonly title: string;
  readonly main?: readonly string[];
  readonly sidecar: SidecarSpec;
  readonly restartPolicy?: 'Never' | 'OnFailure';
  readonly annotations?: Readonly<Record<string, string>>;
  readonly shareProcessNamespace?: boolean;
  /** Which of the sweeps it is part of. */
  readonly sweep?: SweepName;
  /** Undefined: the pod is no candidate and the report does not name it. */
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
  /** At least this of the outcome. */
  readonly sidecar: Partial<ContainerOutcome>;
  readonly pod: PodOutcome;
  /** The methods that were tried, in their order. */
  readonly methods?: readonly string[];
}

/** Sweeps with other flags or another policy than the first; each looks at its own pods alone. */
export type SweepName = 'plain' | 'http' | 'tombstone' | LastResort;
type LastResort = 'image-swap' | 'ephemeral-container' | 'deadline' | 'evict' | 'delete';

const shell = (script: string) => ['sh', '-c', script] as const;
const onTerm = (command: string) => shell(`trap "${command}" TERM; while :; do sleep 1 & wait; done`);
const listed = { 'sidecar-sweeper.dev/sidecars': 'sidecar' };
const argoKey = 'workflows.argoproj.io/kill-cmd-sidecar';

const clean: Expected = {
  sidecar: { kind: 'Stopped', exitCode: 0 },
  pod: { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } },
};
const survives: Expected = { sidecar: { kind: 'StillRunning' }, pod: { kind: 'Stuck' } };

export const behaviours: readonly Behaviour[] = [
  {
    name: 'clean',
    title: 'a sidecar that ends with 0 on TERM lets its pod succeed and its Job complete',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: { ...clean, methods: ['Signal'] },
  },
  {
    name: 'peer-annotation',
    title: 'k8s-controller-sidecars: its annotation names the sidecar, spaces or not',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: { 'nrmitchi.com/sidecars': 'logging, sidecar' },
    expected: clean,
  },
  {
    name: 'argo',
    title: "Argo Workflows: the annotation's own command is run, with the signal's number in it",
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: { [argoKey]: '["sh", "-c", "kill -%d 1"]' },
    expected: { ...clean, methods: ['Command'] },
  },
  {
    name: 'argo-bad',
    title: 'a kill command that is no JSON array of strings is told, and nothing else is tried',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: { [argoKey]: 'kill -%d 1' },
    expected: {
      sidecar: { kind: 'Skipped', reason: { kind: 'BadKillCommand', key: argoKey, problem: 'not JSON' } },
      pod: { kind: 'Skipped', reason: { kind: 'BadKillCommand', key: argoKey, problem: 'not JSON' } },
    },
  },
  {
    name: 'unclean',
    title: 'a sidecar that ends with 143 fails its pod, and the Job runs again: the report says so',
    sidecar: { image: 'shell', command: onTerm('exit 143') },
    annotations: listed,
    expected: {
      sidecar: { kind: 'Stopped', exitCode: 143 },
      pod: { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } },
    },
  },
  {
    name: 'main-failed',
    title: 'a pod whose main failed fails as it should',
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
    title: 'a PID 1 without a handler is immune to every signal from inside, and that is told at once',
    sidecar: { image: 'shell', command: ['sleep', '100000'] },
    annotations: listed,
    expected: { sidecar: { kind: 'Immune' }, pod: { kind: 'Stuck' }, methods: ['Signal', 'Signal'] },
  },
  {
    name: 'ignores-term',
    title: 'a PID 1 that ignores TERM and starts its children anew runs on, whatever the exec says',
    sidecar: { image: 'shell', command: shell('trap "" TERM; while :; do sleep 1 & wait; done') },
    annotations: listed,
    expected: survives,
  },
  {
    name: 'wrapper',
    title: 'a shell that waits for its child ends when the child is signalled',
    sidecar: { image: 'shell', command: shell('sleep 100000; echo bye') },
    annotations: listed,
    expected: clean,
  },
  {
    name: 'no-shell',
    title: 'an image without a shell is told as that',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: { sidecar: { kind: 'NoShell', program: '/bin/sh' }, pod: { kind: 'Stuck' } },
  },
  {
    name: 'other-user',
    title: 'exec runs as the user of the container and may signal it',
    sidecar: { image: 'shell', command: onTerm('exit 0'), runAsUser: 1337 },
    annotations: listed,
    expected: clean,
  },
  {
    name: 'onfailure-clean',
    title: 'under OnFailure a sidecar that ends with 0 stays ended',
    restartPolicy: 'OnFailure',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: clean,
  },
  {
    name: 'onfailure-unclean',
    title: 'under OnFailure one that ends with 143 is restarted by the kubelet, and is not signalled again',
    restartPolicy: 'OnFailure',
    sidecar: { image: 'shell', command: onTerm('exit 143') },
    annotations: listed,
    expected: { sidecar: { kind: 'Restarted', exitCode: 143, restartCount: 1 }, pod: { kind: 'Stuck' } },
  },
  {
    name: 'shared-pid',
    title:
      'in a shared process namespace only the processes of the sidecar are signalled, not the pause process',
    shareProcessNamespace: true,
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: clean,
  },
  {
    name: 'still-working',
    title: 'a pod whose main runs is left alone',
    main: ['sleep', '100000'],
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: undefined,
  },
  {
    name: 'crash-loop',
    title: 'a main between two restarts is not done',
    main: shell('sleep 1; exit 7'),
    restartPolicy: 'OnFailure',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: undefined,
  },
  {
    name: 'unknown',
    title: 'a container that nothing says is a sidecar is a main',
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    expected: undefined,
  },
  {
    name: 'native',
    title: 'a native sidecar is ended by the kubelet and left alone',
    sidecar: { image: 'shell', command: onTerm('exit 0'), native: true },
    annotations: listed,
    expected: undefined,
  },
  {
    name: 'http-quit',
    title: 'http: the endpoint on the loopback is asked through port-forward',
    sweep: 'http',
    sidecar: { image: 'quits' },
    expected: { ...clean, methods: ['Http'] },
  },
  {
    name: 'tombstone',
    title: 'tombstone: a file in the container tells the sidecar to end',
    sweep: 'tombstone',
    sidecar: { image: 'shell', command: shell('until [ -e /tmp/exit ]; do sleep 1; done') },
    expected: { ...clean, methods: ['Tombstone'] },
  },
  {
    name: 'image-swap',
    title: 'image-swap: the kubelet itself ends what has no shell, and the pod succeeds',
    sweep: 'image-swap',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: { ...clean, methods: ['Signal', 'Signal', 'ImageSwap'] },
  },
  {
    name: 'ephemeral-container',
    title: 'ephemeral-container: a signal from beside ends what has no shell',
    sweep: 'ephemeral-container',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: { ...clean, methods: ['Signal', 'Signal', 'EphemeralContainer'] },
  },
  {
    name: 'deadline',
    title: 'deadline: the pod fails, and the Job runs again',
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
    title: 'evict: the pod is gone',
    sweep: 'evict',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: { sidecar: { kind: 'Gone' }, pod: { kind: 'Gone' }, methods: ['Signal', 'Signal', 'Evict'] },
  },
  {
    name: 'delete',
    title: 'delete: the pod is gone',
    sweep: 'delete',
    sidecar: { image: 'shellLess' },
    annotations: listed,
    expected: { sidecar: { kind: 'Gone' }, pod: { kind: 'Gone' }, methods: ['Signal', 'Signal', 'Delete'] },
  },
];
