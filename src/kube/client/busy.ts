import { longestRetryAfter } from '../../util/retry.ts';
import type { Clock, Millis } from '../../util/time.ts';
import { type Answer, isFleeting, statusIn } from './answer.ts';

/** The time for which a server wants no requests, whichever of them was told. */
export class Quiet {
  #end: Millis = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  keep(retryAfter: Millis | undefined): void {
    if (retryAfter === undefined) return;
    this.#end = Math.max(this.#end, this.clock.now() + Math.min(retryAfter, longestRetryAfter));
  }

  async over(abort: AbortSignal): Promise<void> {
    const left = () => this.#end - this.clock.now();
    // The end may move during the sleep.
    while (left() > 0 && !abort.aborted) await this.clock.sleep(left(), abort);
  }
}

/** How long a server asks to wait; the API server always writes seconds. */
export function parseRetryAfter(header: string | undefined): Millis | undefined {
  if (header === undefined || !/^\d+$/.test(header)) return undefined;
  return Math.min(Number(header) * 1000, Number.MAX_SAFE_INTEGER);
}

/** A disruption budget and webhooks answer with 429 and Retry-After, too, but about one pod (recorded: evict; admission/plugin/webhook/errors). */
export function quietAfter(status: number, header: string | undefined, body: string): Millis | undefined {
  const retryAfter = parseRetryAfter(header);
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return undefined;
  const { causes = [], message = '' } = statusIn(body) ?? {};
  const isOfOnePod =
    causes.some(({ reason }) => reason === 'DisruptionBudget') || message.startsWith('admission webhook');
  return isOfOnePod ? undefined : retryAfter;
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
