import { describe, expect, it } from 'vitest';
import type { Job, LightBehaviour, Pod, PodFailurePolicyRule } from '../../../kit/emulator/index.ts';
import { type LightCluster, lightCluster, NAMESPACE, podManifest } from './support/light-cluster.ts';

describe('A Job', () => {
  it('replaces a failed pod after ten seconds, then after twenty, then fails', async () => {
    const cluster = withJob({ ends: { exitCode: 1, after: 2_000 } }, { backoffLimit: 2 });
    const created = new Map<string, number>();
    cluster.world.store.subscribe(({ type, resource, object }) => {
      if (resource === 'pods' && type === 'ADDED') created.set(object.metadata.name, cluster.seconds());
    });
    await cluster.clock.advance(120_000);

    const [first = 0, second = 0, third = 0, ...more] = created.values();
    expect(more).toEqual([]);
    // A pod ends two seconds after its start, and timestamps are whole seconds.
    expect(Math.round(second - first)).toBeOneOf([12, 13]);
    expect(Math.round(third - second)).toBeOneOf([22, 23]);
    expect(cluster.job().status).toMatchObject({ failed: 3, ready: 0, terminating: 0 });
    expect(conditions(cluster)).toEqual([
      ['FailureTarget', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit'],
      ['Failed', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit'],
    ]);
  });

  it('reaches its completions with limited parallelism', async () => {
    const cluster = withJob({ ends: { exitCode: 0, after: 3_000 } }, { completions: 5, parallelism: 2 });
    let most = 0;
    cluster.world.store.subscribe(() => {
      most = Math.max(most, cluster.pods().filter(({ status }) => status.phase === 'Running').length);
    });
    await cluster.clock.advance(60_000);
    expect(most).toBe(2);
    expect(cluster.pods()).toHaveLength(5);
    expect(cluster.job().status).toMatchObject({ succeeded: 5 });
    expect(conditions(cluster).map(([type]) => type)).toEqual(['SuccessCriteriaMet', 'Complete']);
  });

  it('gives each pod an index in Indexed mode, and retries a failed index', async () => {
    let failures = 1;
    const cluster = lightCluster();
    cluster.world.createJob({
      metadata: { name: 'job', namespace: NAMESPACE },
      spec: {
        completions: 3,
        parallelism: 3,
        completionMode: 'Indexed',
        template: {
          spec: podManifest({ containers: [{ name: 'main', image: 'docker.io/local/busybox:1' }] }).spec,
        },
      },
    });
    await cluster.clock.advance(2_000);
    for (const pod of cluster.pods()) {
      const failing = indexOf(pod) === '1' && failures-- > 0;
      cluster.world.kubelet.running(pod.metadata.uid, 'main')?.kill(failing ? 'SIGKILL' : 'SIGTERM');
    }
    await cluster.clock.advance(5_000);
    expect(cluster.job().status).toMatchObject({ succeeded: 2, failed: 1, completedIndexes: '0,2' });
    await cluster.clock.advance(10_000);
    const again = cluster.pods().find(({ status }) => status.phase === 'Running');
    expect(again && indexOf(again)).toBe('1');
    expect(again?.spec.containers[0]?.env?.at(-1)?.name).toBe('JOB_COMPLETION_INDEX');
    cluster.world.kubelet.running(again?.metadata.uid ?? '', 'main')?.kill('SIGTERM');
    await cluster.clock.advance(5_000);
    expect(cluster.job().status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
  });

  it.each<[string, PodFailurePolicyRule, unknown]>([
    ['counts a failure under Count', rule('Count', 42), { failed: 1, conditions: undefined }],
    ['counts a failure that no rule matches', rule('FailJob', 1), { failed: 1, conditions: undefined }],
  ])('%s', async (_title, matching, expected) => {
    const policy = {
      podFailurePolicy: { rules: [matching] },
      podReplacementPolicy: 'TerminatingOrFailed' as const,
    };
    const cluster = withJob({ ends: { exitCode: 42, after: 2_000 } }, { backoffLimit: 5, ...policy });
    await cluster.clock.advance(6_000);
    const { failed, conditions } = cluster.job().status;
    expect({ failed, conditions }).toEqual(expected);
  });

  it('has no pods while it is suspended, and restarts when it is resumed', async () => {
    const cluster = withJob({ on: { SIGTERM: { exitCode: 0 } } }, { suspend: true });
    await cluster.clock.advance(5_000);
    expect(cluster.pods()).toEqual([]);
    expect(cluster.job().status.startTime).toBeUndefined();
    suspend(cluster, false);
    await cluster.clock.advance(5_000);
    expect(cluster.pods().map(({ status }) => status.phase)).toEqual(['Running']);
    suspend(cluster, true);
    await cluster.clock.advance(10_000);
    expect(cluster.pods()).toEqual([]);
    expect(conditions(cluster)).toEqual([['Suspended', 'JobSuspended', 'Job suspended']]);
  });

  it('deletes its pods when it is deleted', async () => {
    const cluster = withJob({ on: { SIGTERM: { exitCode: 0 } } });
    await cluster.clock.advance(5_000);
    cluster.world.store.delete('jobs', NAMESPACE, 'job');
    await cluster.clock.advance(10_000);
    expect(cluster.pods()).toEqual([]);
  });

  it('counts a deleted pod that still ends well as succeeded', async () => {
    const cluster = withJob({ on: { SIGTERM: { exitCode: 0 } } });
    await cluster.clock.advance(5_000);
    cluster.world.deletePod(NAMESPACE, cluster.pods()[0]?.metadata.name ?? '');
    await cluster.clock.advance(30_000);
    expect(cluster.job().status).toMatchObject({ succeeded: 1 });
    expect(cluster.pods()).toEqual([]);
  });

  it('replaces a deleted pod', async () => {
    const cluster = withJob({ on: { SIGTERM: { exitCode: 143 } } });
    await cluster.clock.advance(5_000);
    const [first] = cluster.pods();
    cluster.world.deletePod(NAMESPACE, first?.metadata.name ?? '');
    await cluster.clock.advance(30_000);
    expect(cluster.pods().map(({ metadata }) => metadata.name)).not.toContain(first?.metadata.name);
    expect(cluster.pods()).toHaveLength(1);
  });
});

/** A cluster with a Job of one container. */
function withJob(behaviour: LightBehaviour, spec: Partial<Job['spec']> = {}): LightCluster {
  const cluster = lightCluster({ main: behaviour });
  const containers = [{ name: 'main', image: 'docker.io/local/busybox:1' }];
  const { template, ...rest } = spec;
  cluster.world.createJob({
    metadata: { name: 'job', namespace: NAMESPACE },
    spec: { ...rest, template: template ?? { spec: podManifest({ containers }).spec } },
  });
  return cluster;
}

function suspend(cluster: LightCluster, suspended: boolean): void {
  cluster.world.store.update<Job>('jobs', NAMESPACE, 'job', (job) => ({
    ...job,
    spec: { ...job.spec, suspend: suspended },
  }));
}

function rule(action: PodFailurePolicyRule['action'], exitCode: number): PodFailurePolicyRule {
  return { action, onExitCodes: { operator: 'In', values: [exitCode] } };
}

function conditions(cluster: LightCluster): (string | undefined)[][] {
  return (cluster.job().status.conditions ?? []).map(({ type, reason, message }) => [type, reason, message]);
}

function indexOf(pod: Pod): string | undefined {
  return pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
}
