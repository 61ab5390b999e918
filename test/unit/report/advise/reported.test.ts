import { expect, it } from 'vitest';
import { stuckPodsIn } from '../../../../src/report/advise/reported.ts';
import { candidate } from '../../../builders/plan.ts';
import { now, podView } from '../../../builders/pod-view.ts';
import { endOf, finished, listed, planMade, reportOf, started } from '../../../builders/report.ts';

const stuck = candidate(podView());
const report = reportOf(started(), ...listed(stuck), planMade(stuck), endOf(stuck), finished);

it('a pod that several sweeps saw is stuck once, with what a report tells of it', () => {
  expect(stuckPodsIn([report, report])).toEqual([
    {
      pod: expect.objectContaining({
        ref: { namespace: 'demo', name: stuck.pod.ref.name },
        owner: { kind: 'Job', name: 'work', group: '', uid: '' },
        annotations: {},
      }),
      sidecars: [
        expect.objectContaining({
          because: { kind: 'Annotation', key: 'sidecar-sweeper.dev/sidecars' },
          container: expect.objectContaining({ name: 'sidecar', args: undefined, env: {} }),
        }),
      ],
      mainsEndedAt: stuck.mainsEndedAt,
      isReported: true,
    },
  ]);
  expect(stuckPodsIn([report])[0]?.mainsEndedAt).toBeLessThan(now);
});

it('a report without stuck pods has none', () => {
  expect(stuckPodsIn([reportOf(started(), finished)])).toEqual([]);
});
