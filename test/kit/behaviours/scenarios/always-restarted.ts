import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';
import type { SidecarFields } from '../stuck-job.ts';

/** Containers that the kubelet restarts however they end: only the end of their pod ends them. */
export const alwaysRestarted: readonly Scenario[] = [
  scenario('a restartPolicy of its own, Always', { restartPolicy: 'Always' }),
  scenario('a rule that restarts it after every exit code', {
    restartPolicy: 'Never',
    restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'NotIn', values: [255] } }],
  }),
];

function scenario(what: string, sidecar: SidecarFields): Scenario {
  return {
    title: `nothing is sent to a sidecar with ${what}, unless the pod may be ended`,
    // By default; in 1.34, it has to be switched on.
    needs: { kind: 'Version', version: '1.35', for: 'restart policies of single containers' },
    async play(stage) {
      await stage.stuck({ name: 'work', sidecar });
      const swept = await stage.sweep({ flags: stage.swapping });
      expect(swept.sidecar('work')).toMatchObject({
        attempts: [],
        outcome: { kind: 'Skipped', reason: { kind: 'RestartsAlways' } },
      });
      expect(swept.exitCode).toBe(4);
      expect(await stage.restarts()).toEqual([0]);

      const ended = await stage.sweep({ flags: ['--last-resort', 'delete', '--unclean-exit', 'allow'] });
      expect(ended.methods('work')).toEqual(['Delete']);
      expect(ended.pod('work').outcome.kind).toBe('Gone');
    },
  };
}
