import { once } from 'node:events';
import winston from 'winston';
import { describeStep } from '../../methods/index.ts';
import { describeFault } from '../../model/fault.ts';
import type { AttemptResult } from '../../model/outcome.ts';
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

type Line = {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly message: string;
  readonly fields: Fields;
};

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
  const write = ({ level: at, message, fields }: Line) => {
    // Winston would format the line before it checks its level.
    if (logger.isLevelEnabled(at)) logger.log(at, message, { 'run.id': runId, ...fields });
  };
  const end = async () => {
    const flushed = once(logger, 'finish');
    logger.end();
    await flushed;
  };
  const fail = (message: string) => write({ level: 'error', message, fields: {} });
  return {
    async note(message, fields) {
      write({ level: 'info', message, fields });
      await end();
    },
    hear(event) {
      const line = lineOf(event);
      if (line) write({ ...line, fields: { event: event.kind, ...line.fields } });
      const stack = stackOf(event);
      if (stack) write({ level: 'debug', message: stack, fields: { event: event.kind } });
    },
    fail,
    async failureOf(act) {
      try {
        await act();
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    },
    async finish(report, exitCode) {
      const { totals, run, unread, cluster } = report;
      const fields = {
        event: 'SweepFinished',
        ...clusterFields(cluster),
        'process.exit.code': exitCode,
        'run.durationMs': run.durationMs,
        'run.dryRun': run.dryRun,
        'run.stoppedEarly': run.stoppedEarly,
        unread: unread.length,
        totals,
      };
      write({ level: 'info', message: 'sweep finished', fields });
      await end();
    },
  };
}

/** The line for an event; undefined if another line covers it. */
function lineOf(event: SweepEvent): Line | undefined {
  switch (event.kind) {
    case 'SweepStarted': {
      const { run, policy } = event;
      const { shard } = policy.scope;
      const fields = {
        'service.version': run.version,
        'cluster.context': run.context,
        'cluster.server': run.server,
        ...clusterFields({ name: run.clusterName }),
        'run.dryRun': run.dryRun,
        'scope.namespaces': policy.scope.namespaces,
        'scope.excludeNamespaces': policy.scope.excludeNamespaces,
        'scope.namespaceSelector': policy.scope.namespaceSelector,
        'scope.labelSelector': policy.scope.labelSelector,
        'scope.includePending': policy.scope.includePending,
        'scope.minAgeMs': policy.minAge,
        ...(shard && { 'scope.shard.index': shard.index, 'scope.shard.of': shard.of }),
      };
      return { level: 'info', message: 'sweep started', fields };
    }
    case 'PageListed':
      return {
        level: 'debug',
        message: `listed ${event.pods} pods`,
        fields: { pods: event.pods, atWork: event.atWork.length },
      };
    case 'ReadFailed': {
      const fields = { 'error.type': event.problem.kind, 'k8s.namespace.name': event.namespace };
      return { level: 'error', message: describeUnread(event), fields };
    }
    case 'PodJudged':
      return judged(event.verdict);
    case 'PlanMade': {
      const targets = event.plan.pods.flatMap((pod) => pod.targets);
      const planned = targets.filter(({ kind }) => kind === 'Planned').length;
      const fields = { pods: event.plan.pods.length, planned, skipped: targets.length - planned };
      return { level: 'info', message: `planned to end ${count(planned, 'sidecar')}`, fields };
    }
    case 'StepSent': {
      const { attempt, container, pod } = event;
      const does = describeStep(attempt.step);
      const fields = {
        ...podFields(pod),
        'k8s.container.name': container,
        method: attempt.step.method,
        does,
        ...resultFields(attempt.result),
        durationMs: Math.round(attempt.duration),
      };
      return { level: 'info', message: `${container}: ${does}: ${describeResult(attempt.result)}`, fields };
    }
    case 'PodConcluded':
      return concluded(event.conclusion);
    case 'Warned':
      return { level: 'warn', message: describeWarning(event.warning), fields: warningFields(event.warning) };
    case 'FaultFound':
      return { level: 'error', message: describeFault(event.fault), fields: {} };
    case 'Stopping':
      return { level: 'warn', message: `stopping: ${event.reason}`, fields: { reason: event.reason } };
    // The last line has it.
    case 'ClusterIdentified':
    case 'SweepFinished':
      return undefined;
  }
}

/** The stack of an internal error. */
function stackOf(event: SweepEvent): string | undefined {
  if (event.kind === 'FaultFound') return event.fault.stack;
  return event.kind === 'PodJudged' && event.verdict.kind === 'Undecided' ? event.verdict.stack : undefined;
}

function judged(verdict: Verdict): Line {
  const { pod, kind } = verdict;
  switch (kind) {
    case 'Candidate':
      return { level: 'info', message: 'pod is stuck', fields: podFields(pod.ref) };
    case 'NeverStarted':
      return {
        level: 'info',
        message: 'pod is stuck on a sidecar that never started',
        fields: podFields(pod.ref),
      };
    case 'NotStartedAgain':
      return {
        level: 'info',
        message: 'pod is stuck on a sidecar that ended and cannot start again',
        fields: podFields(pod.ref),
      };
    case 'Hanging':
      return {
        level: 'info',
        message: `pod hangs: ${describeHang(verdict.hang)}`,
        fields: { ...podFields(pod.ref), hang: verdict.hang },
      };
    case 'Excluded':
      return {
        level: 'debug',
        message: `pod left alone: ${verdict.because.map(describeExclusion).join('; ')}`,
        fields: { ...podFields(pod.ref), reason: verdict.because[0]?.kind },
      };
    case 'Undecided':
      return {
        level: 'warn',
        message: `pod cannot be judged: ${verdict.problem}`,
        fields: podFields(pod.ref),
      };
  }
}

function concluded({ pod, outcome, targets }: PodConclusion): Line {
  const sidecars = targets.map((target) => ({ name: target.container, outcome: target.outcome }));
  const fields = {
    ...podFields(pod),
    ...outcomeFields(outcome),
    sidecars: sidecars.map((one) => ({ 'k8s.container.name': one.name, ...outcomeFields(one.outcome) })),
  };
  return { level: 'info', message: describeConclusion(outcome, sidecars), fields };
}

function resultFields(result: AttemptResult): Fields {
  return { result: result.kind, ...(result.kind === 'Held' && { reason: result.reason }) };
}

function describeResult(result: AttemptResult): string {
  const more = result.kind === 'Held' ? result.reason : result.message;
  return more ? `${result.kind}: ${more}` : result.kind;
}
