import { onAbort } from '../../on-abort.ts';
import type { SweepReport } from '../../report/schema.ts';

/** Asks with all that is planned, and resolves to the answer; aborted when an answer is of no use any more. */
export type Ask = (planned: readonly SweepReport[], abort: AbortSignal) => Promise<boolean>;

/** One question for all clusters: it is asked when each of them has planned, or has dropped out. */
export class Question {
  readonly #awaited = new Set<string>();
  readonly #planned: SweepReport[] = [];
  readonly #stops: AbortSignal[] = [];
  readonly #stopped = new AbortController();
  #answer: ((answer: Promise<boolean>) => void)[] = [];

  constructor(private readonly ask: Ask) {}

  /** The contexts whose plans to wait for. */
  expect(contexts: readonly string[]): void {
    for (const context of contexts) this.#awaited.add(context);
  }

  /** The answer to the question about all of them. */
  about(planned: SweepReport, stop: AbortSignal): Promise<boolean> {
    this.#planned.push(planned);
    this.#stops.push(stop);
    onAbort(stop, () => this.#stopWithAll());
    const answer = new Promise<boolean>((resolve) => this.#answer.push(resolve));
    this.without(planned.cluster.context);
    return answer;
  }

  /** There is nothing to ask about this context, or nothing more. */
  without(context: string): void {
    this.#awaited.delete(context);
    if (this.#awaited.size > 0 || this.#answer.length === 0) return;
    this.#stopWithAll();
    const answer = this.ask(this.#planned, this.#stopped.signal);
    for (const resolve of this.#answer) resolve(answer);
    this.#answer = [];
  }

  #stopWithAll(): void {
    if (this.#awaited.size === 0 && this.#stops.every(({ aborted }) => aborted)) this.#stopped.abort();
  }
}
