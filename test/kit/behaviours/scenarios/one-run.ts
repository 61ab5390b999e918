import { expect } from 'vitest';
import { noTerminal, runOnTerminal } from '../../terminal.ts';
import type { Scenario } from '../scenario.ts';
import { onTerm } from '../scripts.ts';

/** What a run does as a whole. */
export const oneRun: readonly Scenario[] = [
  {
    title: 'a mesh proxy is told to end only after the other sidecars have ended',
    async play(stage) {
      await stage.stuck({
        name: 'work',
        grace: 10,
        sidecar: { command: onTerm('sleep 3; exit 0') },
        proxy: {},
      });
      const proxy = { name: 'proxy', containers: ['proxy'], images: ['*'], mesh: true, steps: [] };
      const swept = await stage.sweep({ policy: { profiles: [proxy] } });
      const [other, mesh] = [swept.sidecar('work'), swept.sidecar('work', 'proxy')];
      expect([other.outcome, mesh.outcome]).toEqual(Array(2).fill({ kind: 'Stopped', exitCode: 0 }));
      // Told at the same time, it would have ended three seconds before the other one.
      expect(Date.parse(mesh.endedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(other.endedAt ?? ''));
    },
  },
  {
    title: 'a plan for more pods than expected is not carried out, until a cap or a flag lets it through',
    async play(stage) {
      await stage.stuck({ name: 'one' }, { name: 'other' });
      const braked = await stage.sweep({ flags: ['--brake-pods', '1'] });
      expect(braked.report.warnings).toMatchObject([
        { kind: 'Braked', pods: 2, limit: 'brakePods', most: 1 },
      ]);
      expect(braked.outcomes()).toEqual(['NotAttempted', 'NotAttempted']);
      expect(braked.exitCode).toBe(6);
      expect(await stage.pods()).toMatchObject(Array(2).fill({ status: { phase: 'Running' } }));

      const capped = await stage.sweep({ flags: ['--brake-pods', '1', '--max-pods', '1'] });
      expect([...capped.outcomes()].sort()).toEqual(['Ended', 'NotAttempted']);
      expect(capped.report.totals.leftForNext).toEqual({ OverMaxPods: 1 });
      expect(capped.exitCode).toBe(0);

      const swept = await stage.sweep({ flags: ['--brake-pods', '2'] });
      expect(swept.outcomes()).toEqual(['Ended']);
      expect(swept.exitCode).toBe(0);
    },
  },
  {
    title: 'pods with annotations that cannot be read are left alone, and all others are swept',
    async play(stage) {
      await stage.stuck(
        { name: 'odd-age', annotations: { 'sidecar-sweeper.dev/min-age': 'soon' } },
        { name: 'odd-steps', annotations: { 'sidecar-sweeper.dev/steps-sidecar': '{]' } },
        { name: 'plain' },
      );
      const swept = await stage.sweep({ flags: ['-v'] });
      expect(swept.report.excluded).toMatchObject([{ because: [{ kind: 'UnreadableAnnotation' }] }]);
      expect(swept.pod('odd-steps').outcome).toMatchObject({
        kind: 'Skipped',
        reason: { kind: 'BadKillCommand' },
      });
      expect(swept.pod('plain').outcome).toMatchObject({ kind: 'Ended', phase: 'Succeeded' });
      expect(swept.exitCode).toBe(4);
    },
  },
  {
    title: 'on a terminal without a size, a sweep runs and ends',
    needs: { kind: 'Programs', missing: noTerminal },
    async play(stage) {
      await stage.stuck({ name: 'work' });
      const { exitCode, text } = await runOnTerminal('cols 0 rows 0', [
        ...stage.where(),
        '--min-age',
        '0s',
        '--yes',
      ]);
      expect(text).toContain('stopped, exit code 0');
      expect(exitCode).toBe(0);
    },
  },
];
