import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Policy, resolvePolicy } from '../../../src/policy/policy.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ensureNamespace, type Pod } from '../../kit/emulator/index.ts';
import { type JobSpec, promising, shipperImage, stuckJob } from '../../kit/stuck-jobs.ts';
import { FastCluster } from './fast-cluster.ts';

let fast: FastCluster;
beforeAll(async () => {
  fast = await FastCluster.start();
});
afterAll(() => fast.stop());

interface Case extends JobSpec {
  readonly restartPolicy?: 'Never' | 'OnFailure';
  readonly exitCode?: number;
  /** How long the sidecar takes to end, in milliseconds. */
  readonly takes?: number;
}

/** Creates a Job in a namespace of its own, and waits until its pod is stuck on a sidecar. */
async function stick(
  namespace: string,
  { restartPolicy = 'Never', exitCode = 143, takes = 50, ...spec }: Case,
) {
  const { world } = fast.emulator;
  ensureNamespace(world, namespace);
  const sidecar = { on: { SIGTERM: { exitCode, after: takes } } };
  world.createJob(stuckJob({ namespace, sidecar, image: shipperImage, restartPolicy, grace: 30, spec }));
  await until(() => podsIn(namespace).some(isStuck));
}

const podsIn = (namespace: string) => fast.emulator.world.store.list<Pod>('pods', namespace);

function isStuck({ status }: Pod): boolean {
  const [main, sidecar] = status.containerStatuses ?? [];
  return main?.state.terminated?.exitCode === 0 && sidecar?.state.running !== undefined;
}

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 12_000 && !holds(); round++) await setTimeout(5);
  if (!holds()) throw new Error('it did not come to that');
}

function sweep(namespace: string, policy: (namespaces: string[]) => Policy): Promise<SweepReport> {
  return fast.sweep(policy([namespace]));
}

const allowed = (namespaces: string[]) =>
  resolvePolicy({ namespaces, lastResort: [], uncleanExit: 'allow', minAge: 0 }, undefined);

/** Promises an exit code that the sidecar does not keep, so that the guard lets the step through. */
const promised = (namespaces: string[]) =>
  resolvePolicy({ namespaces, lastResort: [], minAge: 0 }, promising);

/** What the report says of the only pod. */
function told(report: SweepReport) {
  const [pod] = report.pods;
  return {
    outcome: pod?.outcome,
    harm: pod?.harm,
    total: report.totals.harm,
    warned: report.warnings.flatMap((one) => (one.kind === 'JobHarmed' ? [one.harm] : [])),
    exitCode: exitCodeOf(report),
  };
}

const failed = { kind: 'Failed', reason: 'BackoffLimitExceeded' };
const jobFailed = { total: { JobFailed: 1 }, warned: ['JobFailed'] };
const unharmed = { harm: undefined, total: {}, warned: [] };

describe('a sweep that ends a sidecar with 143', () => {
  it('fails a Job without retries; under allow, that was permitted', async () => {
    await stick('allowed', { backoffLimit: 0 });
    expect(told(await sweep('allowed', allowed))).toEqual({
      outcome: { kind: 'Ended', phase: 'Failed', job: failed },
      harm: { kind: 'JobFailed', permitted: true },
      ...jobFailed,
      exitCode: 0,
    });
  });

  it('fails a Job without retries if its profile promises another code, and exits with 7', async () => {
    await stick('promised', { backoffLimit: 0 });
    expect(told(await sweep('promised', promised))).toEqual({
      outcome: { kind: 'Ended', phase: 'Failed', job: failed },
      harm: { kind: 'JobFailed', permitted: false },
      ...jobFailed,
      exitCode: 7,
    });
  });

  it('makes a Job with retries run again', async () => {
    await stick('again', { backoffLimit: 6 });
    expect(told(await sweep('again', promised))).toEqual({
      outcome: { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } },
      harm: { kind: 'RunsAgain', permitted: false },
      total: { RunsAgain: 1 },
      warned: ['RunsAgain'],
      exitCode: 7,
    });
  });

  it('fails an index', async () => {
    await stick('index', {
      completionMode: 'Indexed',
      completions: 2,
      parallelism: 1,
      backoffLimitPerIndex: 3,
      podFailurePolicy: {
        rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [143] } }],
      },
    });
    expect(told(await sweep('index', promised))).toMatchObject({
      outcome: { kind: 'Ended', phase: 'Failed', job: { kind: 'IndexFailed' } },
      harm: { kind: 'IndexFailed', permitted: false },
      exitCode: 7,
    });
  });

  it('fails a Job under OnFailure, which then deletes the pod', async () => {
    await stick('restarted', { backoffLimit: 0, restartPolicy: 'OnFailure' });
    expect(told(await sweep('restarted', promised))).toEqual({
      outcome: { kind: 'Gone', job: failed },
      harm: { kind: 'JobFailed', permitted: false },
      ...jobFailed,
      exitCode: 7,
    });
  });

  it('has harmed nothing if a restart is all that it cost', async () => {
    await stick('lives-on', { backoffLimit: 6, restartPolicy: 'OnFailure' });
    expect(told(await sweep('lives-on', promised))).toMatchObject({
      outcome: { kind: 'Stuck' },
      ...unharmed,
      exitCode: 4,
    });
  });
});

describe('not an act of the sweep', () => {
  it('is a pod that is gone with its Job when it has succeeded', async () => {
    await stick('vanished', { ttlSecondsAfterFinished: 0, exitCode: 0 });
    const { outcome, ...rest } = told(await sweep('vanished', promised));
    expect(rest).toEqual({ ...unharmed, exitCode: 0 });
    expect(['Ended', 'Gone']).toContain(outcome?.kind);
    expect(outcome).toMatchObject({ job: { kind: expect.stringMatching(/^(Complete|Gone)$/) } });
  });

  it('is an eviction by somebody else that fails the Job', async () => {
    await stick('drained', { backoffLimit: 0, takes: 8_000 });
    const [pod] = podsIn('drained');
    const sweeping = sweep('drained', promised);
    await until(() =>
      fast.emulator.requests.some(({ path }) => path.includes(`/${pod?.metadata.name}/exec`)),
    );
    fast.emulator.world.preemptPod('drained', pod?.metadata.name ?? '');
    const { outcome, ...rest } = told(await sweeping);
    expect(rest).toEqual({ ...unharmed, exitCode: 0 });
    expect(outcome).toMatchObject({ job: failed });
  });
});
