import { newImageOf } from '../methods/index.ts';
import type { KeptLog } from '../model/outcome.ts';
import type { PodRef } from '../model/pod.ts';
import type { PlannedStep } from '../plan/sweep-plan.ts';
import type { ApplyContext } from './context.ts';
import type { Watched } from './wait/observation.ts';

/**
 * The last lines of the containers whose logs a step takes, if the policy asks for them. A log that cannot be read is no reason
 * not to take the step.
 */
export async function keepLogs(
  pod: PodRef,
  watched: readonly Watched[],
  step: PlannedStep,
  { policy: { keepLogs: lines }, cluster, cut }: Pick<ApplyContext, 'policy' | 'cluster' | 'cut'>,
): Promise<ReadonlyMap<string, KeptLog>> {
  if (lines === 0 || newImageOf(step) === undefined) return new Map();
  const logs = watched.map(async ({ container }): Promise<readonly [string, KeptLog]> => {
    const reading = await cluster.readLog(pod, container, lines, cut);
    switch (reading.kind) {
      case 'Read':
        return [container, { lines: reading.lines }];
      case 'Unreadable':
        return [container, { lines: [], problem: reading.problem.message }];
    }
  });
  return new Map(await Promise.all(logs));
}
