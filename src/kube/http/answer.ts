import type { Problem } from '../../model/reading.ts';
import type { Millis } from '../../util/time.ts';
import { isBusy, problemOf } from './problem.ts';

/** What came of a request. */
export type Answer<Body = string> =
  | {
      readonly kind: 'Answered';
      readonly status: number;
      readonly body: Body;
      /** The server's clock; undefined when it does not say. */
      readonly date: Millis | undefined;
      /** The header as it came. */
      readonly retryAfter: string | undefined;
    }
  | {
      readonly kind: 'Unanswered';
      readonly problem: Problem;
      /** Nothing was sent. */
      readonly isUnsent?: true;
    };

/** Whether asking again, soon, may fare better. */
export function isFleeting(answer: Answer<unknown>): boolean {
  return answer.kind === 'Unanswered' ? answer.problem.isFleeting === true : isBusy(answer.status);
}

/** Why an answer is not what was asked for: of the object of this name, if it was about one. */
export function refusal(answer: Answer, name?: string): Problem {
  return answer.kind === 'Unanswered' ? answer.problem : problemOf(answer.status, answer.body, name);
}
