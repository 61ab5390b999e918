import { once } from 'node:events';
import winston from 'winston';
import { describeStep } from '../../methods/index.ts';
import { describeFault } from '../../model/reading.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { SweepEvent } from '../../plan/sweep-event.ts';
import { many } from '../../report/format.ts';
import { toLine } from '../../report/json.ts';
import { reportScope } from '../../report/judged-pods.ts';
import {
  about,
  clusterFields,
  type Fields,
  podFields,
  warningFields,
  wordOf,
} from '../../report/records/fields.ts';
import type { SweepReport } from '../../report/schema.ts';
import { describeResult } from '../../report/sweep/view.ts';
import { describeConclusion, stops } from '../../report/texts/outcomes.ts';
import { describeVerdict } from '../../report/texts/reasons.ts';
import { describeUnread, describeWarning } from '../../report/texts/warnings.ts';
import { printable } from '../../util/text.ts';
import type { GivenFlags } from '../flags.ts';

type LogLevel = NonNullable<GivenFlags['logLevel']>;

interface LogOptions {
  readonly stream: NodeJS.WritableStream;
  readonly level: LogLevel;
  /** For a terminal, instead of JSON. */
  readonly plain: boolean;
  readonly runId: string;
}

export type Log = ReturnType<typeof createLog>;

type Line = readonly [level: Exclude<LogLevel, 'silent'>, message: string, fields?: Fields];

/** Above debug, it logs what must survive a crash: each action before it changes the cluster, errors, and the result. */
export function createLog({ stream, level, plain, runId }: LogOptions) {
  const json = winston.format.combine(
    winston.format.timestamp(),
    winston.format.printf(({ timestamp: time, level, message, ...fields }) =>
      toLine({ time, level, message, ...fields }).trimEnd(),
    ),
  );
  const text = winston.format.printf(({ message }) => `sidecar-sweeper: ${printable(String(message))}`);
  const logger = winston.createLogger({
    level: level === 'silent' ? 'error' : level,
    silent: level === 'silent',
    format: plain ? text : json,
    transports: [new winston.transports.Stream({ stream })],
  });
  const write = ([level, message, fields]: Line, event?: string) => {
    // Winston formats a line before it checks the level; as a separate argument, fields would be lost beside a `%s`.
    if (logger.isLevelEnabled(level))
      logger.log({ level, message, 'run.id': runId, ...(event && { event }), ...fields });
  };
  const writeLast = async (...line: Line) => {
    write(line);
    const flushed = once(logger, 'finish');
    logger.end();
    await flushed;
  };
  const fail = (message: string) => write(['error', message]);
  return {
    hear(event: SweepEvent) {
      for (const line of linesOf(event)) write(line, event.kind);
    },
    /** Logs, as the last line, why there is nothing to do. */
    note: (message: string, fields: Fields) => writeLast('info', message, fields),
    fail,
    async catchFailure(act: () => Promise<void>) {
      try {
        await act();
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    },
    /** Logs the result as the last line; at debug if it was already printed. */
    finish: (report: SweepReport, exitCode: number, level: 'info' | 'debug' = 'info') =>
      writeLast(level, describeResult(report), {
        event: 'SweepFinished',
        ...clusterFields(report.cluster),
        'process.exit.code': exitCode,
        'run.durationMs': report.run.durationMs,
        'run.dryRun': report.run.dryRun,
        'run.stoppedEarly': report.run.stoppedEarly,
        unread: report.unread.length,
        totals: report.totals,
      }),
  };
}

function linesOf(event: SweepEvent): readonly Line[] {
  switch (event.kind) {
    case 'SweepStarted':
      return [['debug', 'sweep started', runFields(event)]];
    case 'PageListed':
      return [['debug', `listed ${many(event.pods, 'pod')}, ${event.atWork.length} of them at work`]];
    case 'ReadFailed': {
      const fields = { 'error.type': event.problem.kind, 'k8s.namespace.name': event.namespace };
      return [['error', describeUnread(event), fields]];
    }
    case 'PodJudged':
      return judged(event.verdict);
    case 'PlanMade': {
      const targets = event.plan.pods.flatMap((pod) => pod.targets);
      const planned = targets.filter(({ kind }) => kind === 'Planned').length;
      return [['debug', `planned to end ${planned} of ${many(targets.length, 'sidecar')}`]];
    }
    case 'Acting': {
      const { pod, containers, does } = event;
      const [container] = containers;
      const fields = { ...podFields(pod), ...(container && { 'k8s.container.name': container }), does };
      return [['info', about(pod, [...containers, does].join(': ')), fields]];
    }
    case 'StepSent': {
      const { pod, container, attempt } = event;
      const { step, result, duration } = attempt;
      const does = describeStep(step);
      const isBlocked = result.kind === 'Blocked';
      const detail = isBlocked ? result.reason : result.message;
      const fields = {
        ...podFields(pod),
        'k8s.container.name': container,
        method: step.method,
        does,
        result: result.kind,
        ...(isBlocked && { event: 'StepBlocked', reason: result.reason }),
        durationMs: Math.round(duration),
      };
      const message = `${container}: ${does}: ${result.kind}${detail ? `: ${detail}` : ''}`;
      return [['debug', about(pod, message), fields]];
    }
    case 'PodConcluded': {
      const { pod, outcome, targets, mainFailed } = event.conclusion;
      const sidecars = targets.map((target) => ({ name: target.container, outcome: target.outcome }));
      const message = about(pod, describeConclusion(outcome, sidecars, mainFailed));
      return [['debug', message, { ...podFields(pod), ...wordOf(outcome) }]];
    }
    case 'Warned':
      return [['debug', describeWarning(event.warning), warningFields(event.warning)]];
    case 'FaultFound':
      return [['error', describeFault(event.fault)], ...stackOf(event.fault)];
    case 'Stopping':
      return [['warn', `stopping: ${stops[event.reason]}`, { reason: event.reason }]];
    case 'ClusterIdentified':
    case 'SweepFinished':
      return [];
  }
}

function runFields({ run, policy }: Extract<SweepEvent, { readonly kind: 'SweepStarted' }>): Fields {
  const { shard, ...scope } = reportScope(policy);
  return {
    'service.version': run.version,
    'cluster.context': run.context,
    'cluster.server': run.server,
    ...clusterFields({ name: run.clusterName }),
    'run.dryRun': run.dryRun,
    ...Object.fromEntries(Object.entries(scope).map(([name, value]) => [`scope.${name}`, value])),
    ...(shard && { 'scope.shard.index': shard.index, 'scope.shard.of': shard.of }),
  };
}

function judged(verdict: Verdict): readonly Line[] {
  const { ref } = verdict.pod;
  const hang = verdict.kind === 'Hanging' ? verdict.hang : undefined;
  const exclusion = verdict.kind === 'Excluded' ? verdict.because[0] : undefined;
  const fields = { ...podFields(ref), reason: (hang ?? exclusion)?.kind };
  const line: Line = ['debug', about(ref, describeVerdict(verdict)), fields];
  return verdict.kind === 'Undecided' ? [line, ...stackOf(verdict)] : [line];
}

function stackOf({ stack }: { readonly stack?: string | undefined }): readonly Line[] {
  return stack === undefined ? [] : [['debug', stack]];
}
