import { once } from 'node:events';
import winston from 'winston';
import { describeStep } from '../../methods/index.ts';
import { describeFault } from '../../model/reading.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { Emit, SweepEvent } from '../../plan/sweep-event.ts';
import { count } from '../../report/counts.ts';
import { reportScope } from '../../report/look.ts';
import {
  about,
  clusterFields,
  type Fields,
  podFields,
  warningFields,
  wordOf,
} from '../../report/records/fields.ts';
import { toLine } from '../../report/records/line.ts';
import type { SweepReport } from '../../report/schema.ts';
import { describeResult } from '../../report/sweep/view.ts';
import { describeConclusion, stops } from '../../report/texts/outcomes.ts';
import { describeVerdict } from '../../report/texts/reasons.ts';
import { describeUnread, describeWarning } from '../../report/texts/warnings.ts';
import { printable } from '../../util/text.ts';
import type { GivenFlags } from '../flags.ts';

type LogLevel = NonNullable<GivenFlags['logLevel']>;

export interface LogOptions {
  readonly stream: NodeJS.WritableStream;
  readonly level: LogLevel;
  /** Plain lines for a terminal, instead of JSON. */
  readonly plain: boolean;
  readonly runId: string;
}

export interface Log {
  readonly hear: Emit;
  /** Logs why there is nothing to do, as the last line. */
  note(message: string, fields: Fields): Promise<void>;
  /** Logs a failure that does not affect the sweep. */
  fail(message: string): void;
  /** Does something after the sweep, which is logged if it fails. */
  failureOf(act: () => Promise<void>): Promise<void>;
  /** Logs the result, as the last line; at debug if it has been written elsewhere. */
  finish(report: SweepReport, exitCode: number, level?: 'info' | 'debug'): Promise<void>;
}

interface Line {
  readonly level: Exclude<LogLevel, 'silent'>;
  /** What happened, if that is not the kind of the event. */
  readonly event?: string;
  readonly message: string;
  readonly fields?: Fields;
}

/**
 * Logs, with the fields of records, what a crash must not hide: each act before it changes the cluster, errors, and the end. The rest is
 * in the records as well, so that it is logged only at debug.
 */
export function createLog({ stream, level, plain, runId }: LogOptions): Log {
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
  const write = ({ level, message, event, fields }: Line) => {
    // Winston would format the line before it checks its level, and with a message such as `%s` of its own it would drop the fields.
    if (logger.isLevelEnabled(level))
      logger.log({ level, message, 'run.id': runId, ...(event && { event }), ...fields });
  };
  const writeLast = async (line: Line) => {
    write(line);
    const flushed = once(logger, 'finish');
    logger.end();
    await flushed;
  };
  const fail = (message: string) => write({ level: 'error', message });
  return {
    hear(event) {
      for (const line of linesOf(event)) write({ event: event.kind, ...line });
    },
    note: (message, fields) => writeLast({ level: 'info', message, fields }),
    fail,
    async failureOf(act) {
      try {
        await act();
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    },
    finish: (report, exitCode, level = 'info') =>
      writeLast({
        level,
        event: 'SweepFinished',
        message: describeResult(report),
        fields: {
          ...clusterFields(report.cluster),
          'process.exit.code': exitCode,
          'run.durationMs': report.run.durationMs,
          'run.dryRun': report.run.dryRun,
          'run.stoppedEarly': report.run.stoppedEarly,
          unread: report.unread.length,
          totals: report.totals,
        },
      }),
  };
}

function linesOf(event: SweepEvent): readonly Line[] {
  switch (event.kind) {
    case 'SweepStarted':
      return [{ level: 'debug', message: 'sweep started', fields: runFields(event) }];
    case 'PageListed': {
      const { pods, atWork } = event;
      return [{ level: 'debug', message: `listed ${pods} pods`, fields: { pods, atWork: atWork.length } }];
    }
    case 'ReadFailed': {
      const fields = { 'error.type': event.problem.kind, 'k8s.namespace.name': event.namespace };
      return [{ level: 'error', message: describeUnread(event), fields }];
    }
    case 'PodJudged':
      return judged(event.verdict);
    case 'PlanMade': {
      const { pods } = event.plan;
      const targets = pods.flatMap((pod) => pod.targets);
      const planned = targets.filter(({ kind }) => kind === 'Planned').length;
      const fields = { pods: pods.length, planned, skipped: targets.length - planned };
      return [{ level: 'debug', message: `planned to end ${count(planned, 'sidecar')}`, fields }];
    }
    case 'Acting': {
      const { pod, containers, does } = event;
      const [container] = containers;
      const fields = { ...podFields(pod), ...(container && { 'k8s.container.name': container }), does };
      return [{ level: 'info', message: about(pod, [...containers, does].join(': ')), fields }];
    }
    case 'StepSent':
      return [stepSent(event)];
    case 'PodConcluded': {
      const { pod, outcome, targets } = event.conclusion;
      const sidecars = targets.map((target) => ({ name: target.container, outcome: target.outcome }));
      const fields = {
        ...podFields(pod),
        ...wordOf(outcome),
        sidecars: sidecars.map((one) => ({ 'k8s.container.name': one.name, ...wordOf(one.outcome) })),
      };
      return [{ level: 'debug', message: about(pod, describeConclusion(outcome, sidecars)), fields }];
    }
    case 'Warned': {
      const { warning } = event;
      return [{ level: 'debug', message: describeWarning(warning), fields: warningFields(warning) }];
    }
    case 'FaultFound': {
      const { stack } = event.fault;
      const line: Line = { level: 'error', message: describeFault(event.fault) };
      return stack ? [line, { level: 'debug', message: stack }] : [line];
    }
    case 'Stopping':
      return [
        { level: 'warn', message: `stopping: ${stops[event.reason]}`, fields: { reason: event.reason } },
      ];
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
  const line: Line = { level: 'debug', message: about(ref, describeVerdict(verdict)), fields };
  const stack = verdict.kind === 'Undecided' ? verdict.stack : undefined;
  return stack === undefined ? [line] : [line, { level: 'debug', message: stack }];
}

function stepSent({ attempt, container, pod }: Extract<SweepEvent, { readonly kind: 'StepSent' }>): Line {
  const { step, result, duration } = attempt;
  const does = describeStep(step);
  const isBlocked = result.kind === 'Blocked';
  const detail = isBlocked ? result.reason : result.message;
  return {
    level: 'debug',
    ...(isBlocked && { event: 'StepBlocked' }),
    message: about(pod, `${container}: ${does}: ${result.kind}${detail ? `: ${detail}` : ''}`),
    fields: {
      ...podFields(pod),
      'k8s.container.name': container,
      method: step.method,
      does,
      result: result.kind,
      ...(isBlocked && { reason: result.reason }),
      durationMs: Math.round(duration),
    },
  };
}
