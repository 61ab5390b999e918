import { containerOf, ignoresTerm, untilTerm, withoutHandler } from '../../emulator/programs.ts';
import type { PodManifest } from '../../emulator/world/defaults.ts';
import type { Container } from '../../emulator/world/objects.ts';

/** A sidecar as one may meet it, and what every way to end it comes to. */
export interface Situation {
  readonly name: string;
  readonly title: string;
  readonly sidecar: Container;
  readonly spec?: Partial<PodManifest['spec']>;
  readonly ends: Ends;
}

/** What is left to see after each method alone: the exit code, or why there is none. An image swap always ends with 0. */
interface Ends {
  readonly Signal: End;
  /** `sh -c 'kill -%d 1'` by annotation, then signals, for which the same permission is needed. */
  readonly Command: End;
  readonly EphemeralContainer: End;
  /** As the kubelet ends it: TERM, the grace period, KILL from outside. */
  readonly Deadline: number;
}

export type End = number | 'Immune' | 'StillRunning' | 'NoShell' | 'Restarted' | 'Refused';

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

/** Two seconds of grace each. */
export const situations: readonly Situation[] = [
  { name: 'handler', title: 'a handler that exits 0', sidecar: clean, ends: all(0) },
  {
    name: 'none',
    title: 'no handler in PID 1',
    sidecar: containerOf('sidecar', withoutHandler),
    // The kernel drops the signals, but kill says that all is well: only the script knows it beforehand.
    ends: { Signal: 'Immune', Command: 'StillRunning', EphemeralContainer: 'StillRunning', Deadline: 137 },
  },
  {
    name: 'ignores',
    title: 'TERM ignored',
    sidecar: containerOf('sidecar', ignoresTerm),
    ends: {
      Signal: 'StillRunning',
      Command: 'StillRunning',
      EphemeralContainer: 'StillRunning',
      Deadline: 137,
    },
  },
  {
    name: 'slow',
    title: 'an exit that takes less than the grace',
    sidecar: shell('trap "sleep 1; exit 0" TERM; while :; do sleep 1 & wait; done'),
    ends: all(0),
  },
  {
    name: 'too-slow',
    title: 'an exit that takes longer than the grace',
    // Of a shell only the child would be slow, and that can be killed.
    sidecar: perl('$SIG{TERM} = sub { sleep 60; exit 0 }; sleep 1 while 1'),
    ends: {
      Signal: 'StillRunning',
      Command: 'StillRunning',
      EphemeralContainer: 'StillRunning',
      Deadline: 137,
    },
  },
  { name: 'unclean', title: 'exit code 143 on TERM', sidecar: unclean, ends: all(143) },
  {
    name: 'wrapper',
    title: 'a shell that waits for its child',
    sidecar: shell('sleep 100000; echo bye'),
    // From outside nothing reaches the child either, until KILL.
    ends: { Signal: 0, Command: 0, EphemeralContainer: 'StillRunning', Deadline: 137 },
  },
  {
    name: 'shared-pid',
    title: 'a shared process namespace',
    sidecar: clean,
    spec: { shareProcessNamespace: true },
    // PID 1 is the pause process: what cannot tell processes apart is not tried, and all else is forbidden.
    ends: { Signal: 0, Command: 0, EphemeralContainer: 'Refused', Deadline: 0 },
  },
  {
    name: 'other-user',
    title: 'another user than root',
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
