import type { ContainerOutcome, PodOutcome } from '../../src/types.ts';

/** A Job with a sidecar, and what one sweep has to make of it: the same on the emulator and on a real cluster. */
export interface Behaviour {
  readonly name: string;
  readonly title: string;
  readonly main?: readonly string[];
  readonly sidecar: SidecarSpec;
  readonly restartPolicy?: 'Never' | 'OnFailure';
  readonly annotations?: Readonly<Record<string, string>>;
  readonly shareProcessNamespace?: boolean;
  /** Undefined: the pod is no candidate and the report does not name it. */
  readonly expected: Expected | undefined;
}

interface SidecarSpec {
  readonly image: 'shell' | 'shellLess';
  readonly command?: readonly string[];
  readonly runAsUser?: number;
  /** An init container with restartPolicy Always. */
  readonly native?: boolean;
}

interface Expected {
  readonly sidecar: ContainerOutcome;
  readonly pod: PodOutcome;
}

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
    expected: clean,
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
    expected: clean,
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
    title: 'KILL from inside does not end a PID 1 without a handler, whatever the exec says',
    sidecar: { image: 'shell', command: ['sleep', '100000'] },
    annotations: listed,
    expected: survives,
  },
  {
    name: 'ignores-term',
    title: 'nor one that ignores TERM',
    sidecar: { image: 'shell', command: shell('trap "" TERM; while :; do sleep 1 & wait; done') },
    annotations: listed,
    expected: survives,
  },
  {
    name: 'wrapper',
    title: 'nor a shell that waits for its child',
    sidecar: { image: 'shell', command: shell('sleep 100000; echo bye') },
    annotations: listed,
    expected: survives,
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
    title: 'a pod with one process namespace is refused: PID 1 is the pause process',
    shareProcessNamespace: true,
    sidecar: { image: 'shell', command: onTerm('exit 0') },
    annotations: listed,
    expected: {
      sidecar: { kind: 'Skipped', reason: { kind: 'SharedProcessNamespace' } },
      pod: { kind: 'Skipped', reason: { kind: 'SharedProcessNamespace' } },
    },
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
];
