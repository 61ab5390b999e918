import { expect, it } from 'vitest';
import type { SweepReport } from '../../../src/report/schema.ts';
import { reportsIn } from '../../kit/cli.ts';
import { type Member, members, type Pod } from '../../kit/emulator/index.ts';
import { InstalledCluster, whyNotInCluster } from '../../kit/installed-cluster.ts';
import { describeUnless } from '../../kit/needs.ts';
import { cannotRender, foldersOf } from './render.ts';

/** Sidecars that end on a signal, on an HTTP request, and only with an image swap. */
const names = ['invoice-mail', 'report-daily', 'report-monthly'];
const stuck: readonly Member[] = members
  .filter(({ name }) => names.includes(name))
  .map((member) => ({ ...member, namespace: 'team-a' }));

const overlays = foldersOf('overlays');

const expected: Readonly<Record<string, readonly [phases: readonly string[], exitCode: number]>> = {
  'overlays/namespaced': [['Succeeded', 'Succeeded', 'Running'], 0],
  'overlays/report': [['Running', 'Running', 'Running'], 0],
  'overlays/sweep': [['Succeeded', 'Succeeded', 'Running'], 0],
  'overlays/swap': [['Succeeded', 'Succeeded', 'Succeeded'], 0],
};

describeUnless(
  cannotRender ?? whyNotInCluster(),
  'after kubectl apply -k, the sweeper runs in its own pod:',
  () => {
    it.each(overlays)('%s', async (overlay) => {
      const cluster = await InstalledCluster.start(stuck);
      try {
        const [phases, exitCode] = expected[overlay] ?? [];
        await cluster.shell(`kubectl apply -k manifests/${overlay}`);
        const job = 'kubectl -n sidecar-sweeper create job once --from=cronjob/sidecar-sweeper';
        await cluster.shell(`${job} --dry-run=client -o yaml | kubectl apply -f -`);
        const ran = () => cluster.pods('sidecar-sweeper').filter(hasEnded);
        await cluster.until(() => ran().length === 1);

        const reports = (await Promise.all(ran().map((pod) => reportsOf(cluster, pod)))).flat();
        expect(reports).toHaveLength(1);
        expect(reports.flatMap(({ pods }) => pods)).toHaveLength(stuck.length);
        expect(names.map((name) => phaseOf(cluster, name))).toEqual(phases);
        expect(Math.max(...ran().map((pod) => lastState(pod)?.exitCode ?? -1))).toBe(exitCode);
        for (const pod of ran()) expect(lastState(pod)?.message).toMatch(/^exit code \d\n/);
        const asked = cluster.emulator.requests.filter(({ user }) => user.endsWith(':sidecar-sweeper'));
        expect(asked.length).toBeGreaterThan(1);
        const refused = asked.filter(({ status }) => status === 403).map(({ resource }) => resource);
        // A Role of the swept namespaces grants access neither to nodes nor to kube-system.
        expect(new Set(refused)).toEqual(
          new Set(overlay === 'overlays/namespaced' ? ['nodes', 'namespaces'] : []),
        );
      } finally {
        await cluster.stop();
      }
    });
  },
  { concurrent: true },
);

function hasEnded({ status }: Pod): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}

function lastState({ status }: Pod) {
  return status.containerStatuses?.[0]?.state.terminated;
}

function phaseOf(cluster: InstalledCluster, job: string): string | undefined {
  return cluster.pods('team-a').find(({ metadata }) => metadata.name.startsWith(job))?.status.phase;
}

async function reportsOf({ emulator }: InstalledCluster, pod: Pod): Promise<readonly SweepReport[]> {
  const logs = emulator.world.kubelet.logs(pod.metadata.uid, 'sidecar-sweeper') ?? '';
  for (const line of logs.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('run.id');
  return (await reportsIn(logs)).reports;
}
