import type { Millis } from '../../duration.ts';
import type { Clock } from '../../ports.ts';
import type { Issued } from './exec-credential.ts';
import { SharedRun } from './shared-run.ts';

/** How long a renewed credential is used before another refusal renews it again. */
const renewedEvery: Millis = 30_000;

/** A credential that somebody else issues: kept while it is valid, and asked for once for all who need it. */
export class Issuer {
  readonly #asking: SharedRun<Issued>;
  #issued: Issued | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(
    ask: (abort: AbortSignal) => Promise<Issued>,
    private readonly clock: Clock,
  ) {
    this.#asking = new SharedRun(async (abort) => {
      this.#issued = await ask(abort);
      return this.#issued;
    });
  }

  /** Rejects if there is none, or if aborted. */
  async current(abort: AbortSignal): Promise<Issued> {
    const issued = this.#issued;
    if (issued && this.clock.now() < (issued.expires ?? Number.POSITIVE_INFINITY)) return issued;
    return await this.#asking.join(abort);
  }

  /** The server has refused it. A server that refuses every credential must not start a plugin for each request. */
  forget(): void {
    if (this.clock.now() < this.#renewedAt + renewedEvery) return;
    this.#renewedAt = this.clock.now();
    this.#issued = undefined;
  }
}
