import type { UncleanExit } from '../../../src/model/step.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import type { Pod } from '../emulator/index.ts';
import type { UncleanEnd } from './witness.ts';

/** Which unclean ends of one sweep were not allowed. */
export function expectFewUnclean(rule: UncleanExit, ends: readonly UncleanEnd[]): readonly string[] {
  return rule === 'allow' ? [] : ends.map(({ image, pod }) => `${image}: ${pod}`);
}

/** Stuck pods that are not in the report, and what was not done without a reason. */
export function unreasoned(
  { pods, unread }: Pick<SweepReport, 'pods' | 'unread'>,
  stuck: readonly Pod[],
): readonly string[] {
  const reported = pods.map(({ uid }) => uid);
  const twice = reported.filter((uid, index) => reported.indexOf(uid) !== index);
  const missing = unread.length > 0 ? [] : stuck.filter(({ metadata }) => !reported.includes(metadata.uid));
  const silent = pods.flatMap(({ name, containers }) =>
    containers.flatMap((container) => {
      if (container.role !== 'Sidecar') return [];
      const { steps, unfit, attempts, outcome } = container;
      const isPlanned = steps.length > 0 || attempts.length > 0 || unfit.length > 0;
      const unexplained = outcome.kind === 'Skipped' && outcome.reason.kind === 'NoWay' && !isPlanned;
      const mute = unfit.some(({ detail }) => detail === '');
      const outlivedNothing =
        outcome.kind === 'StillRunning' && outcome.because.kind === 'Outlived' && attempts.length === 0;
      return unexplained || mute || outlivedNothing ? [`${name}/${container.name} has no reason`] : [];
    }),
  );
  return [
    ...twice.map((uid) => `${uid} is reported twice`),
    ...missing.map(({ metadata }) => `${metadata.name} is not reported`),
    ...silent,
  ];
}
