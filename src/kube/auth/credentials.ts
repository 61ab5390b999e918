import { validateHeaderValue } from 'node:http';
import { createSecureContext, type SecureContext } from 'node:tls';
import { bounds } from '../../model/bounds.ts';
import type { Problem } from '../../model/reading.ts';
import { printable } from '../../util/text.ts';
import type { Millis } from '../../util/time.ts';
import type { Connection } from './connection.ts';
import { type Patience, readSource } from './files.ts';
import { type IssuerOptions, issuerOf, Shared } from './issuer.ts';
import type { Issued } from './plugin.ts';

/** The credentials of a request; the same object as long as nothing has changed. */
export interface Credential {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly secureContext: SecureContext;
}

function unusable(cause: unknown, redact: (text: string) => string): Problem {
  const message = cause instanceof Error ? cause.message : String(cause);
  // OpenSSL does not say what its errors are about.
  const about = message.startsWith('error:') ? 'certificate and key are not an unencrypted PEM pair: ' : '';
  const why = `the credentials of the kubeconfig cannot be used: ${about}${printable(redact(message))}`;
  return { kind: 'Unauthorized', message: why };
}

/** A rotation writes one file after the other, and a plugin may need a service that is restarting. */
const pauses: readonly Millis[] = [1_000, 2_000];
/** How long files are not read again: short, because a rotated credential must be used before the old one expires. */
const fresh: Millis = 10_000;

interface Contents {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
}

export class Credentials {
  readonly #files: Shared<Contents>;
  readonly #issuer: Shared<Issued> | undefined;
  #last: { readonly contents: Contents; readonly credential: Credential } | undefined;

  /** @param closed when what is still being read is given up. */
  constructor(
    private readonly connection: Connection,
    private readonly options: IssuerOptions,
    closed: AbortSignal,
  ) {
    const { clock, limit } = options;
    this.#issuer = issuerOf(connection, options, closed);
    let last: Contents | undefined;
    this.#files = new Shared(async () => {
      const readAt = clock.now();
      try {
        const contents = await readAll(connection, { time: Math.min(limit, bounds.fileTime), abort: closed });
        // Throws if the certificate has been replaced but its key has not.
        if (contents.cert !== last?.cert || contents.key !== last?.key) createSecureContext(contents);
        last = contents;
        return { value: contents, until: readAt + fresh };
      } catch (error) {
        // While files are being replaced, their last contents are used.
        if (last) return { value: last, until: readAt };
        throw error;
      }
    }, clock);
  }

  /** An error is tried again, and then it is that of this request alone. */
  async current(abort: AbortSignal): Promise<Credential | Problem> {
    const { clock, limit, redact } = this.options;
    const giveUpAt = clock.now() + limit;
    for (let tries = 0; ; tries++) {
      try {
        const { ca, cert, key, token } = await this.#files.current(abort);
        const issued = await this.#issuer?.current(abort);
        const own = issued?.certificate ?? { cert, key };
        return this.#credentialOf({ ca, ...own, token: token ?? issued?.token });
      } catch (error) {
        const pause = pauses[tries];
        const again = pause !== undefined && clock.now() + pause < giveUpAt && !abort.aborted;
        if (!again) return unusable(error, redact);
        await clock.sleep(pause, abort);
      }
    }
  }

  /** What to try after the server has refused this one; undefined if there is no other. */
  async renewed(refused: Credential, abort: AbortSignal): Promise<Credential | undefined> {
    if (refused === this.#last?.credential) {
      this.#files.forget();
      this.#issuer?.forget();
    }
    const credential = await this.current(abort);
    return 'kind' in credential || credential === refused ? undefined : credential;
  }

  /** Certificates are parsed once: parsing them for every connection costs more than the connection itself. */
  #credentialOf(contents: Contents): Credential {
    const { ca, cert, key, token } = contents;
    const { user } = this.connection;
    const { contents: before, credential: last } = this.#last ?? {};
    const isSameTls = before?.ca === ca && before?.cert === cert && before?.key === key;
    if (last && isSameTls && before?.token === token) return last;
    if (token !== undefined) this.options.learn(token);
    const { user: name, groups = [] } = user.impersonated ?? {};
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(name !== undefined && { 'impersonate-user': name }),
      ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    };
    // Throws if a token has a line break in it.
    for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, String(value));
    const credential = {
      headers,
      secureContext: last && isSameTls ? last.secureContext : createSecureContext({ ca, cert, key }),
    };
    this.#last = { contents, credential };
    return credential;
  }
}

async function readAll({ tls, user }: Connection, within: Patience): Promise<Contents> {
  const [ca, cert, key, token] = await Promise.all(
    [tls.ca, user.certificate?.cert, user.certificate?.key, user.token].map(async (source) => {
      try {
        return await readSource(source, within);
      } catch (error) {
        if (source?.kind !== 'File' || !(error instanceof Error) || 'code' in error) throw error;
        throw new Error(`${source.path}: ${error.message}`);
      }
    }),
  );
  if (user.token?.kind !== 'File') return { ca, cert, key, token };
  const trimmed = token?.trim();
  if (!trimmed) throw new Error(`the token file ${user.token.path} is empty`);
  return { ca, cert, key, token: trimmed };
}

/** To redact a shorter password would take ordinary words out of messages. */
const shortest = 6;

/** Takes what was sent to prove who we are out of the texts that servers, proxies and plugins answer with. */
export class Secrets {
  readonly #known = new Set<string>();

  learnUrl(url: URL | undefined): void {
    if (!url) return;
    this.learn(url.password);
    this.learn(decodeURIComponent(url.password));
  }

  readonly redact = (text: string): string => {
    // One may be part of another.
    const longestFirst = [...this.#known].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
  };

  readonly learn = (secret: string): void => {
    if (secret.length < shortest) return;
    // As it is, and as it stands in JSON and in a URL.
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      this.#known.add(form);
  };
}
