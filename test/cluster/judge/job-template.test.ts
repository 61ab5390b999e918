import { expect, it } from 'vitest';
import type { PodExplanation } from '../../../src/report/explain/explanation.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { startedOnce } from '../../kit/started.ts';
import { podsOfJob } from '../../kit/stuck-jobs.ts';
import { container, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => TestCluster.start());
const ended = { kind: 'terminated', finishedAt: new Date(Date.now() - 3_600_000) } as const;
const running = { kind: 'running', startedAt: new Date(Date.now() - 7_200_000) } as const;
const vector = container('vector', { image: 'timberio/vector:0.40.0' });
const proxy = container('istio-proxy', { image: 'docker.io/istio/proxyv2:1.27.0' });

it.each([
  ['runs-beside-an-injected-container-that-ended', [vector], 0, []],
  ['ended-beside-an-injected-container-that-failed', [container('main'), proxy], 1, ['AlreadyUnclean']],
] as const)(
  'a sweep sees by the template of a Job, as explain does, that its work %s',
  async (namespace, own, exitCode, blocked) => {
    ensureNamespace(cluster.emulator.world, namespace);
    const states = {
      fetcher: { ...ended, exitCode },
      main: { ...ended, exitCode: 0 },
      vector: running,
      'istio-proxy': running,
    };
    const pod = { spec: { containers: [...own, container('fetcher')] }, states };
    cluster.emulator.world.placePods(
      podsOfJob(cluster.emulator.world, { namespace, injected: 'fetcher', pod }),
    );
    const parsed = async (...argv: readonly string[]) =>
      JSON.parse((await cluster.runHere([...argv, '-o', 'json'])).stdout);
    const { verdict }: PodExplanation = await parsed('explain', `${namespace}/pod-0`);
    expect(verdict.kind).toBe(blocked.length > 0 ? 'Candidate' : 'Excluded');
    const { pods }: SweepReport = await parsed('sweep', '-n', namespace, '--dry-run');
    expect(pods).toHaveLength(blocked.length);
    const steps = pods.flatMap(({ containers }) =>
      containers.flatMap((one) => (one.role === 'Sidecar' ? one.steps : [])),
    );
    expect([...new Set(steps.map((step) => step.blocked))]).toEqual(blocked);
  },
);
