import { untilAborted } from '../../util/concurrency.ts';
import type { Clock, Millis } from '../../util/time.ts';
import type { Connection } from './connection.ts';
import { IdentityProvider, type ProviderOptions } from './oidc.ts';
import { askPlugin, type Issued } from './plugin.ts';

interface Valid<T> {
  readonly value: T;
  readonly until: Millis;
}

/** A value that all callers share, and that is read once for all of them when it is no longer valid. */
export class Shared<T> {
  #last: Valid<T> | undefined;
  #reading: Promise<T> | undefined;
  #forgottenAt = Number.NEGATIVE_INFINITY;

  /** @param forgottenEvery how long a value is kept before it can be forgotten again. */
  constructor(
    private readonly read: () => Promise<Valid<T>>,
    private readonly clock: Clock,
    private readonly forgottenEvery: Millis = 0,
  ) {}

  /** A caller that is aborted leaves; what is being read may be for others, or for its own next try. */
  async current(abort: AbortSignal): Promise<T> {
    abort.throwIfAborted();
    if (this.#last && this.clock.now() < this.#last.until) return this.#last.value;
    this.#reading ??= this.#readAgain();
    return await untilAborted(this.#reading, abort);
  }

  forget(): void {
    if (this.clock.now() < this.#forgottenAt + this.forgottenEvery) return;
    this.#forgottenAt = this.clock.now();
    this.#last = undefined;
  }

  async #readAgain(): Promise<T> {
    try {
      this.#last = await this.read();
      return this.#last.value;
    } finally {
      this.#reading = undefined;
    }
  }
}

/** If a server refuses every credential, the plugin must not run again for each request. */
const renewedEvery: Millis = 30_000;

export type IssuerOptions = Parameters<typeof askPlugin>[2] & Omit<ProviderOptions, 'env'>;

/** Asks a plugin or an identity provider; undefined if the kubeconfig has the credentials, which take precedence. */
export function issuerOf(
  connection: Connection,
  options: IssuerOptions,
  closed: AbortSignal,
): Shared<Issued> | undefined {
  const { token, certificate, plugin, oidc } = connection.user;
  const sharing = (ask: () => Promise<Issued>) =>
    new Shared(
      async () => {
        const value = await ask();
        return { value, until: value.expires ?? Number.POSITIVE_INFINITY };
      },
      options.clock,
      renewedEvery,
    );
  if (token) return undefined;
  if (oidc) {
    const provider = new IdentityProvider(oidc.settings, { ...options, env: oidc.env });
    return sharing(() => provider.ask(closed));
  }
  if (!plugin || certificate) return undefined;
  return sharing(() => askPlugin(plugin, connection, options, closed));
}
