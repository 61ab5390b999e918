import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';
import { onTerm } from '../scripts.ts';
import type { Stage } from '../stage.ts';
import type { SweepResult } from '../sweep-result.ts';

const exits143 = { command: onTerm('exit 143') };

/** What a report says of finished work that runs again or fails. */
export const harm: readonly Scenario[] = [
  {
    title:
      'finished work that runs again is reported in a warning, an Event on the Job and an exit code of its own',
    async play(stage) {
      await stage.stuck({ name: 'work', sidecar: exits143 });
      const swept = await stage.sweep({ flags: ['--events'] });
      expect(harmIn(swept, 'work')).toEqual({ kind: 'RunsAgain', permitted: false });
      expect(swept.exitCode).toBe(7);
      expect(await eventsOf(stage)).toEqual([
        { kind: 'Job', name: 'work', type: 'Warning' },
        { kind: 'Pod', name: swept.pod('work').name, type: 'Normal' },
      ]);
    },
  },
  {
    title: 'a Job that fails under --unclean-exit=allow is reported too, and the exit code is 0',
    async play(stage) {
      await stage.stuck({
        name: 'work',
        sidecar: exits143,
        restartPolicy: 'OnFailure',
        job: { backoffLimit: 0 },
      });
      const swept = await stage.sweep({ flags: ['--unclean-exit', 'allow'] });
      expect(swept.pod('work').outcome).toEqual({
        kind: 'Gone',
        job: { kind: 'Failed', reason: 'BackoffLimitExceeded' },
      });
      expect(harmIn(swept, 'work')).toEqual({ kind: 'JobFailed', permitted: true });
      expect(swept.exitCode).toBe(0);
    },
  },
  {
    title: 'a pod that ended cleanly and vanished with its Job does not count as harmed',
    async play(stage) {
      await stage.stuck({ name: 'work', job: { ttlSecondsAfterFinished: 0 } });
      const swept = await stage.sweep();
      expect(swept.pod('work').outcome).toMatchObject({
        kind: expect.stringMatching(/^(Ended|Gone)$/),
        job: { kind: expect.stringMatching(/^(Complete|Gone)$/) },
      });
      expect(harmIn(swept, 'work')).toBeUndefined();
      expect(swept.exitCode).toBe(0);
    },
  },
];

/** What the report says of the harm to a Job, in the pod and in the warnings alike. */
function harmIn({ report, pod }: SweepResult, job: string) {
  const { harm } = report.pods.find(({ owner }) => owner?.name === job) ?? pod(job);
  const warned = report.warnings.flatMap((one) => (one.kind === 'JobHarmed' ? [one.harm] : []));
  expect(warned).toEqual(harm ? [harm.kind] : []);
  return harm;
}

/** What the sweep's Events in the namespace are about. */
async function eventsOf({ core, namespace }: Stage) {
  const { items } = await core.listNamespacedEvent({ namespace });
  return items
    .filter(({ reportingComponent }) => reportingComponent === 'sidecar-sweeper.dev/sweeper')
    .map(({ involvedObject: { kind, name }, type }) => ({ kind, name, type }))
    .toSorted((one, other) => String(one.kind).localeCompare(String(other.kind)));
}
