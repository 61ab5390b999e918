import { systemClock } from '../../clock.ts';
import type { Emit } from '../../events.ts';
import type { OpenCluster } from '../../kube/cluster.ts';
import { ReportFold } from '../../report/sweep/fold.ts';
import type { LogLevel } from '../flags/log-level.ts';
import { whoRuns } from '../own-pod.ts';
import type { Surroundings } from '../surroundings.ts';
import { createLog, type Log } from './log.ts';
import { createPodEvents } from './pod-events.ts';
import { createProgress } from './progress.ts';

export interface Listeners {
  readonly fold: ReportFold;
  readonly log: Log;
  readonly emit: Emit;
  /** To be called when the sweep is over. */
  finish(): Promise<void>;
}

interface ListenerOptions {
  readonly runId: string;
  readonly logLevel: LogLevel | undefined;
  readonly events: boolean;
  readonly verbose: boolean;
  readonly cluster: OpenCluster;
}

/** The report, the log, Events on pods and, on a terminal, a line of progress. None influences the sweep. */
export function createListeners(
  { runId, logLevel, events, verbose, cluster }: ListenerOptions,
  { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>,
): Listeners {
  const terminal = stderr.isTTY === true;
  const level = logLevel ?? (terminal ? 'error' : 'info');
  const fold = new ReportFold({ verbose });
  const log = createLog({ stream: stderr, plain: terminal, level, runId });
  const progress = terminal && logLevel === undefined ? createProgress(stderr) : undefined;
  const podEvents = events
    ? createPodEvents({ events: cluster, clock: systemClock, reporter: whoRuns(env), log })
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
    async finish() {
      progress?.stop();
      await podEvents?.finish();
    },
  };
}
