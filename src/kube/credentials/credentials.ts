import { createSecureContext, type SecureContext } from 'node:tls';
import type { Millis } from '../../duration.ts';
import type { Clock } from '../../ports.ts';
import { printable } from '../../printable.ts';
import type { Connection, User } from '../kubeconfig/connection.ts';
import { type Contents, CredentialFiles } from './credential-files.ts';
import { impersonationHeaders } from './impersonation.ts';
import type { Issuer } from './issuer.ts';

/** What a request is sent with; the same object as long as nothing has changed. */
export interface Credential {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly secureContext: SecureContext;
}

/** A token file, a certificate or a credential plugin of the kubeconfig cannot be used. */
export class CredentialError extends Error {
  constructor(cause: unknown, redact = (text: string) => text) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`the credentials of the kubeconfig cannot be used: ${printable(redact(message))}`);
  }
}

/** A rotation writes one file after the other, and a plugin may need a service that is restarting. */
const pauses: readonly Millis[] = [1_000, 2_000];

/** The credentials of a connection, as they change. */
export class Credentials {
  readonly #files: CredentialFiles;
  #context: (Certificates & { readonly of: SecureContext }) | undefined;
  #credential: { readonly token: string | undefined; readonly of: Credential } | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly issuer: Issuer | undefined,
    /** How long it may take to get a credential. */
    private readonly limit: Millis,
    private readonly clock: Clock,
    private readonly redact: (text: string) => string,
  ) {
    this.#files = new CredentialFiles(connection, clock);
  }

  /** The credential to use now. An error is tried again, and then it is that of this request alone. */
  async current(abort: AbortSignal): Promise<Credential | CredentialError> {
    const giveUpAt = this.clock.now() + this.limit;
    for (let tries = 0; ; tries++) {
      try {
        return await this.#read(abort);
      } catch (error) {
        const pause = pauses[tries];
        const again = pause !== undefined && this.clock.now() + pause < giveUpAt && !abort.aborted;
        if (!again) return new CredentialError(error, this.redact);
        await this.clock.sleep(pause, abort);
      }
    }
  }

  /** A credential to try after the server has refused this one; undefined if there is no other. */
  async renewed(refused: Credential, abort: AbortSignal): Promise<Credential | undefined> {
    if (refused === this.#credential?.of) {
      this.#files.forget();
      this.issuer?.forget();
    }
    const credential = await this.current(abort);
    return credential instanceof CredentialError || credential === refused ? undefined : credential;
  }

  async #read(abort: AbortSignal): Promise<Credential> {
    const { ca, token, ...own } = await this.#files.read();
    const issued = await this.issuer?.current(abort);
    const { cert, key } = issued?.certificate ?? own;
    const secureContext = this.#contextOf({ ca, cert, key });
    return this.#credentialOf(token ?? issued?.token, secureContext);
  }

  #credentialOf(token: string | undefined, secureContext: SecureContext): Credential {
    const last = this.#credential;
    if (last && last.token === token && last.of.secureContext === secureContext) return last.of;
    const { user } = this.connection;
    const headers = { ...authorization(token, user), ...impersonationHeaders(user.impersonated) };
    const of = { headers, secureContext };
    this.#credential = { token, of };
    return of;
  }

  /** Reads certificates once: reading them for every connection costs more than the connection itself. */
  #contextOf({ ca, cert, key }: Certificates): SecureContext {
    const last = this.#context;
    if (last && last.ca === ca && last.cert === cert && last.key === key) return last.of;
    const of = createSecureContext({ ca, cert, key });
    this.#context = { ca, cert, key, of };
    return of;
  }
}

type Certificates = Omit<Contents, 'token'>;

function authorization(token: string | undefined, { basic }: User): Readonly<Record<string, string>> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (!basic) return {};
  const { username, password } = basic;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
