import { describe, expect, it } from 'vitest';
import type { PolicyFlags } from '../../src/policy/policy.ts';
import type { LightBehaviour } from '../kit/emulator/index.ts';
import { quits, type StuckPod, sidecarOutcome, sidecars, stuckPod } from '../kit/stuck-pods.ts';
import { FaultyCluster, type Trouble } from './faulty-cluster.ts';
import {
  closing,
  execs,
  exited,
  failure,
  frame,
  type Stumble,
  stumble,
  success,
  tell,
  tunnels,
} from './streams.ts';

const cluster = FaultyCluster.startedOnce();

/** What may end a sidecar that nothing ends from inside, and what becomes of the sidecar then. */
const nexts: readonly (readonly [flags: Partial<PolicyFlags>, outcome: string | undefined])[] = [
  [{}, undefined],
  [{ lastResort: ['image-swap'], noopImage: 'docker.io/local/nopbare:1' }, 'Stopped 0'],
  [{ lastResort: ['delete'], uncleanExit: 'allow' }, 'Gone'],
];

const runtime = (message: string) => failure({ reason: 'InternalError', message });
const said = (output: string, code: number) => [frame(2, output), exited(String(code))];
const script = (output: string) => [frame(1, output), success];

const oci = 'OCI runtime exec failed: exec failed: unable to start container process';

/** What comes back from a container in which nothing can be signalled, and what the report says of it. */
// biome-ignore format: one row a line
const answers: readonly (readonly [kind: string, frames: readonly Uint8Array[], says: string])[] = [
  ['NoSuchProgram', [runtime(`${oci}: exec: "/bin/sh": stat /bin/sh: no such file or directory: unknown`)], ''],
  ['NoSuchProgram', [runtime(`${oci}: exec: "/bin/sh": permission denied: unknown`)], ''],
  ['NoSuchProgram', [runtime('executable file `/bin/sh` not found in $PATH: No such file or directory')], ''],
  ['NoSuchProgram', said(`${oci}: exec: "/bin/sh": permission denied`, 126), ''],
  ['NoSuchProgram', said('exec: "/bin/sh": stat /bin/sh: no such file or directory', 127), ''],
  ['Immune', script('immune PID 1 has no handler for TERM\n'), 'no handler'],
  ['Immune', script("immune PID 1 is another user's: no permission to signal it\n"), 'no permission'],
  ['Immune', script('immune /proc cannot be read\n'), '/proc'],
  ['Immune', script('sh: a warning\r\nimmune no process of this container is left\n'), 'no process'],
  ['Immune', script(`${'ERROR: ld.so: ignored.\n'.repeat(500)}immune no handler\n`), 'no handler'],
];

const answering = (frames: readonly Uint8Array[], flags: Partial<PolicyFlags>, outcome: string): Stumble => ({
  stream: execs,
  action: closing(frames),
  flags,
  outcome,
});

describe('B9: an exec that can do nothing', () => {
  it.each(nexts)('leaves it to the next method, if there is one: %j', async (flags, outcome) => {
    const cases = answers.map(([kind, frames]) =>
      answering(frames, flags, outcome ?? `StillRunning ${kind}`),
    );
    const played = await stumble(cluster, 'B9', cases);
    for (const [index, [kind, , says]] of answers.entries()) {
      const one = played[index] ?? expect.fail();
      expect(one.attempts[0]).toBe(kind);
      if (outcome === undefined) expect(JSON.stringify(sidecarOutcome(one.report, 'pod-1'))).toContain(says);
    }
  });

  it('but fail is waited for, before the next method follows', async () => {
    const failures = [
      said('sh: kill: not found\n', 127),
      said('kill: (1) - Operation not permitted\n', 1),
      said('', 2),
    ];
    const cases = failures.flatMap((frames) =>
      nexts.map(([flags, outcome]) => answering(frames, flags, outcome ?? 'StillRunning Outlived')),
    );
    for (const { attempts } of await stumble(cluster, 'B9', cases)) expect(attempts[0]).toBe('Failed');
  });
});

const kills = { 'sidecar-sweeper.dev/kill-cmd-sidecar': '["/bin/sh","-c","kill -%d 1"]' };

/** Sidecars that were signalled and live on, each at least for longer than its grace period of a second. */
const survivors: readonly StuckPod[] = [
  { sidecar: sidecars.immune, annotations: kills },
  { sidecar: sidecars.stubborn, annotations: kills },
  { sidecar: sidecars.stubborn },
];

const only = (pod: StuckPod, flags: Partial<PolicyFlags> = {}): Trouble => ({
  flags,
  policy: { annotationCommands: 'any' },
  pods: (namespace) => [stuckPod({ ...pod, namespace, name: 'pod-1' })],
});

describe('B10: a kill that exits 0', () => {
  it.each(nexts)('proves nothing while the process lives on; next: %j', async (flags, outcome) => {
    const cases = survivors.map((pod) => only(pod, flags));
    for (const one of await tell(cluster, 'B10', cases)) {
      expect(one.attempts[0]).toBe('Accepted');
      expect(one.outcome).toBe(outcome ?? 'StillRunning Outlived');
    }
  });

  it('is told from one that works, however late the process ends', async () => {
    const ends = Array.from({ length: 24 }, (_, index) => index * 250);
    const behaviours = ends.map((after): LightBehaviour => ({ on: { SIGTERM: { exitCode: 0, after } } }));
    const cases = behaviours.flatMap((sidecar) => [only({ sidecar, annotations: kills }), only({ sidecar })]);
    const played = await tell(cluster, 'B10', cases);
    for (const { outcome } of played) expect(outcome).toMatch(/^(Stopped 0|StillRunning Outlived)$/);
    expect(played[0]?.outcome).toBe('Stopped 0');
  });
});

const minute = 60_000;
const quit = { ...quits.sidecar.quit, after: minute };

/** How else a sidecar can be ended that takes a minute to quit. */
const slow: readonly (readonly [title: string, LightBehaviour, then: string])[] = [
  ['has no shell', { quit, shell: false }, 'NoSuchProgram'],
  ['handles no signal', { quit, on: {} }, 'Immune'],
  ['takes as long on TERM', { quit, on: { SIGTERM: { exitCode: 0, after: minute } } }, 'Accepted'],
];

async function play(pod: StuckPod, flags: Partial<PolicyFlags> = {}) {
  const [told] = await tell(cluster, 'B12', [only({ ...tunnels.pod, ...pod }, flags)]);
  return told ?? expect.fail();
}

describe.each(slow)('B12: a sidecar that quits within a minute and %s', (_title, sidecar, then) => {
  it('is waited for where its grace period is longer', async () => {
    const told = await play({ sidecar, grace: 90 }, { lastResort: ['delete'], uncleanExit: 'allow' });
    expect(told).toMatchObject({ outcome: 'Stopped 0', attempts: ['Accepted'] });
    expect(told.requests.filter(({ verb }) => verb === 'delete')).toEqual([]);
  });

  it('runs on where its grace period is shorter, and is never killed unless that is asked for', async () => {
    for (const grace of [0, 1, 30]) {
      const { outcome, attempts, requests } = await play({ sidecar, grace });
      expect([outcome, ...attempts.slice(0, 2)]).toEqual(['StillRunning Outlived', 'Accepted', then]);
      expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    }
  });
});
