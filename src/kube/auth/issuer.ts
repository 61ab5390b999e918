import { onAbort } from '../../util/concurrency.ts';
import type { Clock, Millis } from '../../util/time.ts';
import type { Connection } from './connection.ts';
import { IdentityProvider, type ProviderOptions } from './oidc.ts';
import { askPlugin, type Issued } from './plugin.ts';

/** How long a renewed credential is used before another refusal renews it again. */
const renewedEvery: Millis = 30_000;

/** A credential from a plugin or an identity provider, kept while it is valid. */
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

  async current(abort: AbortSignal): Promise<Issued> {
    const issued = this.#issued;
    if (issued && this.clock.now() < (issued.expires ?? Number.POSITIVE_INFINITY)) return issued;
    return await this.#asking.join(abort);
  }

  /** If a server refuses every credential, the plugin must not run again for each request. */
  forget(): void {
    if (this.clock.now() < this.#renewedAt + renewedEvery) return;
    this.#renewedAt = this.clock.now();
    this.#issued = undefined;
  }
}

/** Work that all callers share, and that stops when its last caller is aborted. */
export class SharedRun<T> {
  #running: { readonly result: Promise<T>; readonly stop: AbortController; waiting: number } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly work: (abort: AbortSignal) => Promise<T>) {}

  async join(abort: AbortSignal): Promise<T> {
    abort.throwIfAborted();
    this.#running ??= this.#start();
    const running = this.#running;
    running.waiting++;
    try {
      return await untilAborted(running.result, abort);
    } finally {
      running.waiting--;
      if (running.waiting === 0) {
        if (this.#running === running) this.#running = undefined;
        running.stop.abort();
      }
    }
  }

  #start() {
    const stop = new AbortController();
    // Work that was stopped takes a moment to end.
    const result = this.#last.then(() => this.work(stop.signal));
    this.#last = result.catch(() => undefined);
    return { result, stop, waiting: 0 };
  }
}

function untilAborted<T>(result: Promise<T>, abort: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(abort, () => reject(abort.reason));
    result.then(resolve, reject).finally(leave);
  });
}

/** Undefined if the kubeconfig has the credentials, which take precedence. */
export function issuerOf(
  connection: Connection,
  options: Parameters<typeof askPlugin>[2] & Omit<ProviderOptions, 'env'>,
): Issuer | undefined {
  const { token, basic, certificate, plugin, oidc } = connection.user;
  if (token || basic) return undefined;
  if (oidc) {
    const provider = new IdentityProvider(oidc.settings, { ...options, env: oidc.env });
    return new Issuer((abort) => provider.ask(abort), options.clock);
  }
  if (!plugin || certificate) return undefined;
  return new Issuer((abort) => askPlugin(plugin, connection, options, abort), options.clock);
}
