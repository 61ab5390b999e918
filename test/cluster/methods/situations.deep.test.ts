import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MethodName } from '../../../src/methods/index.ts';
import type { ContainerOutcome, PodOutcome } from '../../../src/model/outcome.ts';
import { type Pod, processesAvailable, sharedPidNamespaceAvailable } from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { accountFor } from './methods-alone.ts';
import { methodsTried, ProcessCluster, podReport, type Swept, sidecarReport } from './process-cluster.ts';
import { type End, type Situation, situations } from './situations.ts';

type Alone = Exclude<MethodName, 'Http' | 'Tombstone'>;

const swap = { lastResort: [{ imageSwap: { image: 'docker.io/local/nop:1' } }] };
const ephemeral = { lastResort: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }] };
const policies: Readonly<Record<Alone, object>> = {
  Signal: {},
  Command: {},
  ImageSwap: swap,
  EphemeralContainer: ephemeral,
  Deadline: { lastResort: [{ deadline: true }] },
  Evict: { lastResort: [{ evict: true }] },
  Delete: { lastResort: [{ delete: true }] },
};
const alone = Object.keys(policies) as Alone[];

const why = processesAvailable() ?? sharedPidNamespaceAvailable();

describeUnless(why, 'every single method, in every situation', () => {
  let cluster: ProcessCluster;
  const swept = new Map<Alone, Swept>();

  beforeAll(async () => {
    cluster = await ProcessCluster.start();
    for (const method of alone)
      for (const situation of situations) cluster.createJob(jobOf(method, situation));
    await cluster.untilStuck();
    await Promise.all(
      alone.map(async (method) => {
        const policy = { uncleanExit: 'allow', ...policies[method] };
        const user = accountFor(cluster.emulator, sweepOf(method), method);
        swept.set(method, await cluster.sweep(sweepOf(method), { policy, user }));
      }),
    );
  });
  afterAll(() => cluster.stop());

  const sweptBy = (method: Alone): Swept => {
    const one = swept.get(method);
    if (!one) throw new Error(`${method} was not swept`);
    return one;
  };

  describe.each(alone)('%s', (method) => {
    it.each(situations)('$title', (situation) => {
      const job = jobName(method, situation);
      const end = endOf(method, situation);
      const sidecar = sidecarReport(sweptBy(method), job);
      expect(sidecar.outcome).toMatchObject(sidecarOutcome(end));
      expect(podReport(sweptBy(method), job).outcome).toMatchObject(podOutcome(method, end));
      const exitCode = typeof end === 'number' ? end : undefined;
      expect(stateOf(cluster.podOf(job))).toEqual([phaseAfter(method, end), exitCode]);
      // A command is followed by signals, which need the same permission.
      const others = methodsTried(sidecar).filter((one) => one !== method);
      expect(others).toEqual(method === 'Command' ? others : []);
    });
  });
});

function sweepOf(method: Alone): string {
  return `alone-${method.toLowerCase()}`;
}

function jobName(method: Alone, { name }: Situation): string {
  return `${method.toLowerCase()}-${name}`;
}

function jobOf(method: Alone, situation: Situation) {
  const { sidecar, spec } = situation;
  const kill = { 'workflows.argoproj.io/kill-cmd-sidecar': '["sh", "-c", "kill -%d 1"]' };
  return {
    name: jobName(method, situation),
    sweep: sweepOf(method),
    annotations: method === 'Command' ? kill : { 'sidecar-sweeper.dev/sidecars': 'sidecar' },
    sidecars: [sidecar],
    ...(spec && { spec }),
  };
}

type Seen = End | 'Gone';

function endOf(method: Alone, { ends }: Situation): Seen {
  switch (method) {
    case 'Signal':
    case 'Command':
    case 'EphemeralContainer':
    case 'Deadline':
      return ends[method];
    case 'ImageSwap':
      return 0;
    case 'Evict':
    case 'Delete':
      return 'Gone';
  }
}

function sidecarOutcome(end: Seen): Partial<ContainerOutcome> {
  if (typeof end === 'number') return { kind: 'Stopped', exitCode: end };
  switch (end) {
    case 'Gone':
      return { kind: end };
    case 'Outlived':
      return { kind: 'StillRunning', because: { kind: end } };
    case 'Immune':
    case 'Refused':
      return { kind: 'StillRunning', because: { kind: end, message: expect.any(String) } };
    case 'NoShell':
      return { kind: 'StillRunning', because: { kind: 'NoSuchProgram', program: '/bin/sh' } };
    case 'Restarted':
      return { kind: end, exitCode: 143, restartCount: 1 };
  }
}

function podOutcome(method: Alone, end: Seen): Partial<PodOutcome> {
  if (end === 'Gone') return { kind: 'Gone' };
  if (typeof end === 'string') return { kind: 'Stuck' };
  return phaseAfter(method, end) === 'Succeeded'
    ? { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } }
    : { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } };
}

/** A deadline fails the pod, regardless of the exit codes. */
function phaseAfter(method: Alone, end: Seen): string | undefined {
  if (end === 'Gone') return undefined;
  if (typeof end === 'string') return 'Running';
  return end === 0 && method !== 'Deadline' ? 'Succeeded' : 'Failed';
}

/** The pod's state in the cluster: its phase, and the sidecar's exit code if that has ended. */
function stateOf(pod: Pod | undefined): readonly [string | undefined, number | undefined] {
  const sidecar = pod?.status.containerStatuses?.find(({ name }) => name === 'sidecar');
  return [pod?.status.phase, sidecar?.state.terminated?.exitCode];
}
