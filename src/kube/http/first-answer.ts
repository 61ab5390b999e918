import { type Answer, isFleeting } from './answer.ts';

/** Knows what is being waited for until the server has answered once. */
export class FirstAnswer {
  #hasCome = false;
  #awaited: string | undefined;

  constructor(private readonly server: string) {}

  /** Why there is none yet; undefined if nothing has been asked, or once the server has answered. */
  get awaited(): string | undefined {
    return this.#hasCome ? undefined : this.#awaited;
  }

  ask(): void {
    this.#awaited ??= `${this.server} has not answered yet`;
  }

  /** Hears what came of a request. That the server is busy is no answer. */
  hear(answer: Answer<unknown>): void {
    this.#hasCome ||= !isFleeting(answer);
    this.#awaited =
      answer.kind === 'Unanswered' ? answer.problem.message : `${this.server} answers HTTP ${answer.status}`;
  }
}
