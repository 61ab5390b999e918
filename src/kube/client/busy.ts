import type { Millis } from '../../util/time.ts';
import { type Answer, isFleeting } from './answer.ts';

/** How long a server asks to wait; the API server always writes seconds. */
export function parseRetryAfter(header: string | undefined): Millis | undefined {
  if (header === undefined || !/^\d+$/.test(header)) return undefined;
  return Math.min(Number(header) * 1000, Number.MAX_SAFE_INTEGER);
}

export class FirstAnswer {
  #hasCome = false;
  /** Whether the server has answered at all, even if only that it is busy. */
  isUp = false;
  #awaited: string | undefined;

  constructor(private readonly server: string) {}

  /** Why there is none yet; undefined before anything is asked, and once the server has answered. */
  get awaited(): string | undefined {
    return this.#hasCome ? undefined : this.#awaited;
  }

  ask(): void {
    this.#awaited ??= `${this.server} has not answered yet`;
  }

  /** Busy responses do not count as answers. */
  hear(answer: Answer<unknown>): void {
    this.#hasCome ||= !isFleeting(answer);
    this.isUp ||= answer.kind === 'Answered';
    this.#awaited =
      answer.kind === 'Unanswered' ? answer.problem.message : `${this.server} answers HTTP ${answer.status}`;
  }
}
