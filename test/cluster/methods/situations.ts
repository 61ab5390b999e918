import {
  type Container,
  containerOf,
  ignoresTerm,
  type PodManifest,
  untilTerm,
  withoutHandler,
} from '../../kit/emulator/index.ts';

/** A typical sidecar, and the result of every way to end it. */
export interface Situation {
  readonly name: string;
  readonly title: string;
  readonly sidecar: Container;
  readonly spec?: Partial<PodManifest['spec']>;
  readonly ends: Ends;
}

/** The result of each single method: the exit code, or why there is none. An image swap always gives 0. */
interface Ends {
  readonly Signal: End;
  /** `sh -c 'kill -%d 1'` from an annotation, then signals, which need the same permission. */
  readonly Command: End;
  readonly EphemeralContainer: End;
  /** The kubelet ends it: TERM, the grace period, KILL from outside. */
  readonly Deadline: number;
}

export type End = number | 'Immune' | 'Outlived' | 'NoShell' | 'Restarted' | 'Refused';

const shell = (script: string): Container => ({
  name: 'sidecar',
  image: 'docker.io/local/busybox:1',
  command: ['sh', '-c', script],
});
const clean = containerOf('sidecar', untilTerm(0));
const unclean = containerOf('sidecar', untilTerm(143));
const perl = (program: string): Container => ({
  name: 'sidecar',
  image: 'docker.io/local/busybox:1',
  command: ['perl', '-e', program],
});
const all = (end: number): Ends => ({ Signal: end, Command: end, EphemeralContainer: end, Deadline: end });

/** Every pod has a grace period of two seconds. */
export const situations: readonly Situation[] = [
  { name: 'handler', title: 'a handler that exits 0', sidecar: clean, ends: all(0) },
  {
    name: 'none',
    title: 'no handler in PID 1',
    sidecar: containerOf('sidecar', withoutHandler),
    // The kernel drops the signals although kill succeeds. Only the signal script detects it beforehand.
    ends: { Signal: 'Immune', Command: 'Outlived', EphemeralContainer: 'Outlived', Deadline: 137 },
  },
  {
    name: 'ignores',
    title: 'TERM ignored',
    sidecar: containerOf('sidecar', ignoresTerm),
    ends: {
      Signal: 'Outlived',
      Command: 'Outlived',
      EphemeralContainer: 'Outlived',
      Deadline: 137,
    },
  },
  {
    name: 'slow',
    title: 'an exit within the grace period',
    sidecar: shell('trap "sleep 1; exit 0" TERM; while :; do sleep 1 & wait; done'),
    ends: all(0),
  },
  {
    name: 'too-slow',
    title: 'an exit after the grace period',
    // With a shell, only its child would be slow, and a signal can kill the child.
    sidecar: perl('$SIG{TERM} = sub { sleep 60; exit 0 }; sleep 1 while 1'),
    ends: {
      Signal: 'Outlived',
      Command: 'Outlived',
      EphemeralContainer: 'Outlived',
      Deadline: 137,
    },
  },
  { name: 'unclean', title: 'exit code 143 on TERM', sidecar: unclean, ends: all(143) },
  {
    name: 'wrapper',
    title: 'a shell that waits for its child',
    sidecar: shell('sleep 100000; echo bye'),
    // TERM from outside does not reach the child; only KILL ends it.
    ends: { Signal: 0, Command: 0, EphemeralContainer: 'Outlived', Deadline: 137 },
  },
  {
    name: 'shared-pid',
    title: 'a shared PID namespace',
    sidecar: clean,
    spec: { shareProcessNamespace: true },
    // PID 1 is the pause process. Methods that cannot tell processes apart are skipped, others forbidden.
    ends: { Signal: 0, Command: 0, EphemeralContainer: 'Refused', Deadline: 0 },
  },
  {
    name: 'other-user',
    title: 'a user other than root',
    sidecar: { ...clean, securityContext: { runAsUser: 1337, runAsGroup: 1337 } },
    ends: all(0),
  },
  {
    name: 'no-shell',
    title: 'no shell in the image',
    sidecar: { name: 'sidecar', image: 'docker.io/local/distroless-sidecar:1' },
    ends: { Signal: 'NoShell', Command: 'NoShell', EphemeralContainer: 0, Deadline: 0 },
  },
  {
    name: 'onfailure-clean',
    title: 'OnFailure and exit code 0',
    sidecar: clean,
    spec: { restartPolicy: 'OnFailure' },
    ends: all(0),
  },
  {
    name: 'onfailure-unclean',
    title: 'OnFailure and exit code 143',
    sidecar: unclean,
    spec: { restartPolicy: 'OnFailure' },
    ends: { Signal: 'Restarted', Command: 'Restarted', EphemeralContainer: 'Restarted', Deadline: 143 },
  },
];
