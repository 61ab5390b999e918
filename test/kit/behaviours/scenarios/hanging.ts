import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';
import { shell } from '../scripts.ts';
import { manifestOf } from '../stuck-job.ts';

/** What hangs although no sidecar should be ended. The others take a broken webhook or kubelet: `test/cluster/judge`. */
export const hanging: readonly Scenario[] = [
  {
    title: 'a main whose mesh proxy has ended is told, and nothing is ended',
    async play(stage) {
      const body = manifestOf({ name: 'work', sidecar: { command: shell('sleep 2') } }, stage.images);
      for (const main of body.spec?.template.spec?.containers.slice(0, 1) ?? [])
        main.command = [...shell('sleep 300')];
      await stage.batch.createNamespacedJob({ namespace: stage.namespace, body });
      await stage.until('the proxy to end', async () => {
        const statuses = (await stage.pods('work')).flatMap(({ status }) => status?.containerStatuses ?? []);
        return statuses.some(({ name, state }) => name === 'sidecar' && state?.terminated?.exitCode === 0);
      });

      const profile = { name: 'proxy', containers: ['sidecar'], images: ['*'], mesh: true, steps: [] };
      const swept = await stage.sweep({ policy: { profiles: [profile] } });
      expect(swept.report.hanging).toMatchObject([
        { hang: { kind: 'ProxyEndedFirst', container: 'sidecar', main: 'main' }, owner: { name: 'work' } },
      ]);
      expect(swept.report.totals).toMatchObject({ candidates: 0, hanging: { ProxyEndedFirst: 1 } });
      expect(swept.exitCode).toBe(0);
      expect(await stage.pods('work')).toMatchObject([{ status: { phase: 'Running' } }]);
    },
  },
];
