import { once } from 'node:events';
import winston from 'winston';
import { describeStep } from '../../methods/index.ts';
import { describeFault } from '../../model/reading.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { Emit, PodConclusion, SweepEvent } from '../../plan/sweep-event.ts';
import { count } from '../../report/counts.ts';
import {
  clusterFields,
  type Fields,
  outcomeFields,
  podFields,
  warningFields,
} from '../../report/records/fields.ts';
import { toLine } from '../../report/records/line.ts';
import type { SweepReport } from '../../report/schema.ts';
import { describeConclusion } from '../../report/texts/outcomes.ts';
import { describeExclusion, describeHang } from '../../report/texts/reasons.ts';
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
  /** Logs the totals, as the last line. */
  finish(report: SweepReport, exitCode: number): Promise<void>;
}

interface Line {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly message: string;
  readonly fields: Fields;
}

/** Logs one line for each event, with the fields of records. */
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
  const write = ({ level, message, fields }: Line) => {
    // Winston would format the line before it checks its level.
    if (logger.isLevelEnabled(level)) logger.log(level, message, { 'run.id': runId, ...fields });
  };
  const writeLast = async (message: string, fields: Fields) => {
    write(line('info', message, fields));
    const flushed = once(logger, 'finish');
    logger.end();
    await flushed;
  };
  const fail = (message: string) => write(line('error', message));
  return {
    hear(event) {
      const found = lineOf(event);
      if (found) write({ ...found, fields: { event: event.kind, ...found.fields } });
      const stack = stackOf(event);
      if (stack) write(line('debug', stack, { event: event.kind }));
    },
    note: writeLast,
    fail,
    async failureOf(act) {
      try {
        await act();
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    },
    finish: ({ totals, run, unread, cluster }, exitCode) =>
      writeLast('sweep finished', {
        event: 'SweepFinished',
        ...clusterFields(cluster),
        'process.exit.code': exitCode,
        'run.durationMs': run.durationMs,
        'run.dryRun': run.dryRun,
        'run.stoppedEarly': run.stoppedEarly,
        unread: unread.length,
        totals,
      }),
  };
}

function line(level: Line['level'], message: string, fields: Fields = {}): Line {
  return { level, message, fields };
}

/** The line for an event; undefined if the last line covers it. */
function lineOf(event: SweepEvent): Line | undefined {
  switch (event.kind) {
    case 'SweepStarted':
      return line('info', 'sweep started', runFields(event));
    case 'PageListed': {
      const { pods, atWork } = event;
      return line('debug', `listed ${pods} pods`, { pods, atWork: atWork.length });
    }
    case 'ReadFailed': {
      const fields = { 'error.type': event.problem.kind, 'k8s.namespace.name': event.namespace };
      return line('error', describeUnread(event), fields);
    }
    case 'PodJudged':
      return judged(event.verdict);
    case 'PlanMade': {
      const { pods } = event.plan;
      const targets = pods.flatMap((pod) => pod.targets);
      const planned = targets.filter(({ kind }) => kind === 'Planned').length;
      const fields = { pods: pods.length, planned, skipped: targets.length - planned };
      return line('info', `planned to end ${count(planned, 'sidecar')}`, fields);
    }
    case 'StepSent':
      return stepSent(event);
    case 'PodConcluded':
      return concluded(event.conclusion);
    case 'Warned':
      return line('warn', describeWarning(event.warning), warningFields(event.warning));
    case 'FaultFound':
      return line('error', describeFault(event.fault));
    case 'Stopping':
      return line('warn', `stopping: ${event.reason}`, { reason: event.reason });
    case 'ClusterIdentified':
    case 'SweepFinished':
      return undefined;
  }
}

function runFields({ run, policy }: Extract<SweepEvent, { readonly kind: 'SweepStarted' }>): Fields {
  const { scope } = policy;
  return {
    'service.version': run.version,
    'cluster.context': run.context,
    'cluster.server': run.server,
    ...clusterFields({ name: run.clusterName }),
    'run.dryRun': run.dryRun,
    'scope.namespaces': scope.namespaces,
    'scope.excludeNamespaces': scope.excludeNamespaces,
    'scope.namespaceSelector': scope.namespaceSelector,
    'scope.labelSelector': scope.labelSelector,
    'scope.includePending': scope.includePending,
    'scope.minAgeMs': policy.minAge,
    ...(scope.pods && { 'scope.pods': scope.pods.map(({ namespace, name }) => `${namespace}/${name}`) }),
    ...(scope.shard && { 'scope.shard.index': scope.shard.index, 'scope.shard.of': scope.shard.of }),
  };
}

/** The stack of an internal error. */
function stackOf(event: SweepEvent): string | undefined {
  if (event.kind === 'FaultFound') return event.fault.stack;
  return event.kind === 'PodJudged' && event.verdict.kind === 'Undecided' ? event.verdict.stack : undefined;
}

function judged(verdict: Verdict): Line {
  const fields = podFields(verdict.pod.ref);
  switch (verdict.kind) {
    case 'Candidate':
      return line('info', 'pod is stuck', fields);
    case 'NeverStarted':
      return line('info', 'pod is stuck on a sidecar that never started', fields);
    case 'NotStartedAgain':
      return line('info', 'pod is stuck on a sidecar that ended and cannot start again', fields);
    case 'Hanging':
      return line('info', `pod hangs: ${describeHang(verdict.hang)}`, { ...fields, hang: verdict.hang });
    case 'Excluded': {
      const { because } = verdict;
      const why = because.map(describeExclusion).join('; ');
      return line('debug', `pod left alone: ${why}`, { ...fields, reason: because[0]?.kind });
    }
    case 'Undecided':
      return line('warn', `pod cannot be judged: ${verdict.problem}`, fields);
  }
}

function stepSent({ attempt, container, pod }: Extract<SweepEvent, { readonly kind: 'StepSent' }>): Line {
  const { step, result, duration } = attempt;
  const does = describeStep(step);
  const detail = result.kind === 'Blocked' ? result.reason : result.message;
  const fields = {
    ...podFields(pod),
    'k8s.container.name': container,
    method: step.method,
    does,
    result: result.kind,
    ...(result.kind === 'Blocked' && { reason: result.reason }),
    durationMs: Math.round(duration),
  };
  return line('info', `${container}: ${does}: ${result.kind}${detail ? `: ${detail}` : ''}`, fields);
}

function concluded({ pod, outcome, targets }: PodConclusion): Line {
  const sidecars = targets.map((target) => ({ name: target.container, outcome: target.outcome }));
  const fields = {
    ...podFields(pod),
    ...outcomeFields(outcome),
    sidecars: sidecars.map((one) => ({ 'k8s.container.name': one.name, ...outcomeFields(one.outcome) })),
  };
  return line('info', describeConclusion(outcome, sidecars), fields);
}
