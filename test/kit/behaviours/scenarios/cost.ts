import type { V1JobSpec } from '@kubernetes/client-node';
import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';
import { onTerm } from '../scripts.ts';

const exits143 = { command: onTerm('exit 143') };

/** What an unclean end or a swap costs a Job. */
export const cost: readonly Scenario[] = [
  notTaken('a Job without retries', { backoffLimit: 0 }),
  {
    ...notTaken('a Job that its podFailurePolicy would fail', {
      podFailurePolicy: {
        rules: [
          { action: 'FailJob', onExitCodes: { containerName: 'sidecar', operator: 'In', values: [143] } },
        ],
      },
    }),
    needs: { kind: 'Version', version: '1.26', for: 'podFailurePolicy' },
  },
  {
    title:
      'ten stuck pods of a Job that tolerates six restarts take turns to be swapped, and the Job completes',
    async play(stage) {
      await stage.stuck({
        name: 'ten',
        sidecar: { image: stage.images.shellLess },
        restartPolicy: 'OnFailure',
        job: { parallelism: 10, completions: 10, backoffLimit: 6 },
      });
      const swept = await stage.sweep({ flags: stage.swapping });
      expect(swept.outcomes()).toEqual(Array(10).fill('Ended'));
      expect(swept.exitCode).toBe(0);
      expect(await stage.endOf('ten')).toBe('Complete');
    },
  },
  {
    title: 'a Job that tolerates no restart is left alone, and completes once its backoffLimit may be raised',
    async play(stage) {
      await stage.stuck({
        name: 'work',
        sidecar: { image: stage.images.shellLess },
        restartPolicy: 'OnFailure',
        job: { backoffLimit: 0 },
      });
      const before = await stage.sweep({ flags: stage.swapping });
      expect(before.sidecar('work').unfit).toContainEqual(
        expect.objectContaining({ reason: 'WouldFailJob' }),
      );
      expect(before.exitCode).toBe(4);

      const swept = await stage.sweep({ flags: [...stage.swapping, '--raise-backoff-limit'] });
      expect(swept.report.warnings).toContainEqual(
        expect.objectContaining({ kind: 'BackoffLimitRaised', job: 'work', from: 0, to: 2 }),
      );
      expect(swept.sidecar('work').attempts).toMatchObject([
        { does: expect.stringMatching(/raised from 0 to 2$/) },
      ]);
      expect(swept.exitCode).toBe(0);
      expect(await stage.endOf('work')).toBe('Complete');
      expect((await stage.job('work')).spec?.backoffLimit).toBe(2);
    },
  },
];

function notTaken(which: string, job: Partial<V1JobSpec>): Scenario {
  return {
    title: `${which} is not put at risk to find out how its sidecar ends`,
    async play(stage) {
      await stage.stuck({ name: 'work', sidecar: exits143, job });
      const swept = await stage.sweep();
      expect(swept.pod('work')).toMatchObject({ uncleanCost: { kind: 'Job' }, outcome: { kind: 'Blocked' } });
      const results = swept.sidecar('work').attempts.map(({ result }) => result.kind);
      expect(new Set(results)).toEqual(new Set(['Blocked']));
      expect(swept.exitCode).toBe(4);
      expect((await stage.job('work')).status).toMatchObject({ active: 1 });
    },
  };
}
