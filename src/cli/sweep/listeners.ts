import type { OpenCluster } from '../../kube/cluster.ts';
import type { Emit } from '../../plan/sweep-event.ts';
import { ReportFold } from '../../report/sweep/fold.ts';
import { systemClock } from '../../util/time.ts';
import { whoRuns } from '../own-pod.ts';
import { createLog, type Log } from './log.ts';
import type { SweepOrder } from './order.ts';
import { createPodEvents } from './pod-events.ts';

export interface Listeners {
  readonly fold: ReportFold;
  readonly log: Log;
  readonly emit: Emit;
  /** To be called when the sweep is over; nothing more is waited for when it is late. */
  finish(late: AbortSignal): Promise<void>;
}

/** The report, the log, Events on pods and, on a terminal, a line of progress. None influences what the sweep does. */
export function createListeners(runId: string, cluster: OpenCluster, order: SweepOrder): Listeners {
  const { verbose = false, events = false } = order.flags;
  const fold = new ReportFold({ verbose });
  const { stderr } = order.surroundings;
  const plain = stderr.isTTY === true;
  const level = order.flags.logLevel ?? (plain ? 'error' : 'info');
  const log = createLog({ stream: stderr, plain, level, runId });
  const { progress } = order;
  const reporter = whoRuns(order.surroundings.env);
  const podEvents = events
    ? createPodEvents({ events: cluster, clock: systemClock, reporter, log })
    : undefined;
  return {
    fold,
    log,
    emit(event) {
      fold.hear(event);
      progress?.hear(event);
      log.hear(event);
      podEvents?.hear(event);
    },
    async finish(late) {
      progress?.stop();
      await podEvents?.finish(late);
    },
  };
}
