import type { Condition, Job } from '../objects.ts';
import { rfc3339 } from '../store.ts';
import type { JobVerdict } from './verdict.ts';

type Status = Job['status'];

/** Whether the Job is Complete or Failed; the controller ignores it from then on. */
export function isOver({ status }: Job): boolean {
  return has(status, 'Complete') || has(status, 'Failed');
}

/** The verdict reached while pods were still running. It stands, however those pods end. */
export function verdictSoFar({ status }: Job): JobVerdict | undefined {
  const met = status.conditions?.find(
    ({ type }) => type === 'SuccessCriteriaMet' || type === 'FailureTarget',
  );
  if (!met) return undefined;
  const { reason = '', message = '' } = met;
  return { kind: met.type === 'FailureTarget' ? 'Failed' : 'Complete', reason, message };
}

/** Adds the verdict to the status; the final condition only if no pod is running (`done`). */
export function withVerdict(status: Status, verdict: JobVerdict, done: boolean, now: Date): Status {
  const { conditions = [], startTime, ...numbers } = status;
  const first = verdict.kind === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const said = has(status, first) ? conditions : [...conditions, condition(first, 'True', verdict, now)];
  return {
    conditions: done ? [...said, condition(verdict.kind, 'True', verdict, now)] : said,
    ...(startTime ? { startTime } : {}),
    ...(done && verdict.kind === 'Complete' ? { completionTime: rfc3339(now) } : {}),
    ...numbers,
  };
}

/** Adds the Suspended condition. A resumed Job gets a new start time. */
export function withSuspension(status: Status, suspended: boolean, now: Date): Status {
  if (has(status, 'Suspended') === suspended) return status;
  const { conditions = [], startTime, ...numbers } = status;
  const why = suspended
    ? { reason: 'JobSuspended', message: 'Job suspended' }
    : { reason: 'JobResumed', message: 'Job resumed' };
  const others = conditions.filter(({ type }) => type !== 'Suspended');
  return {
    conditions: [...others, condition('Suspended', suspended ? 'True' : 'False', why, now)],
    ...(suspended || !startTime ? {} : { startTime: rfc3339(now) }),
    ...numbers,
  };
}

function has(status: Status, wanted: string): boolean {
  return status.conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false;
}

function condition(
  type: string,
  status: 'True' | 'False',
  { reason, message }: { readonly reason: string; readonly message: string },
  now: Date,
): Condition {
  const time = rfc3339(now);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}
