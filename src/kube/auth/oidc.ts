import { createSecureContext, type SecureContext } from 'node:tls';
import { filled, type Json, parseJson, record, texts } from '../../util/json.ts';
import { printable } from '../../util/text.ts';
import { type Clock, inTime, type Millis } from '../../util/time.ts';
import { Connections } from '../client/connections.ts';
import { readText, send } from '../client/exchange.ts';
import { readSource } from './files.ts';
import type { Issued } from './plugin.ts';
import { chooseProxy, type Env } from './urls.ts';

export interface ProviderOptions {
  readonly limit: Millis;
  readonly clock: Clock;
  readonly learn: (secret: string) => void;
  /** It names the proxy to the provider: proxy-url of the kubeconfig is for the API server alone. */
  readonly env: Env;
}

/** How long before its end a token counts as expired, as with kubectl: the server's clock may be ahead. */
const early: Millis = 10_000;

/** client-node 2.0.1 cannot renew an id-token: openid-client does not take its URL. */
export class IdentityProvider {
  #idToken: string;
  #refreshToken: string;

  constructor(
    private readonly settings: Json,
    private readonly options: ProviderOptions,
  ) {
    this.#idToken = this.#setting('id-token');
    this.#refreshToken = this.#setting('refresh-token');
    this.#learn();
  }

  async ask(abort: AbortSignal): Promise<Issued> {
    if (this.#expires() <= this.options.clock.now()) await this.#renew(abort);
    return { token: this.#idToken, certificate: undefined, expires: this.#expires() };
  }

  async #renew(abort: AbortSignal): Promise<void> {
    const issuer = this.#setting('idp-issuer-url').replace(/\/$/, '');
    if (this.#refreshToken === '' || issuer === '' || this.#setting('client-id') === '') {
      throw new Error('the id-token has expired, and there is no refresh-token');
    }
    const trusted = createSecureContext({ ca: await this.#authority(abort) });
    const { limit } = this.options;
    const late = `the identity provider did not answer within ${limit / 1000}s (--request-timeout)`;
    // Of both requests together.
    await inTime(limit, new Error(late), abort, async (ending) => {
      const provider = await this.#ask(`${issuer}/.well-known/openid-configuration`, trusted, ending);
      const endpoint = filled(provider['token_endpoint']) ?? '';
      const renewed = await this.#ask(endpoint, trusted, ending, this.#grant(provider));
      this.#idToken = filled(renewed['id_token']) ?? '';
      // A provider that does not rotate them sends none.
      this.#refreshToken = filled(renewed['refresh_token']) ?? this.#refreshToken;
    });
    this.#learn();
    if (this.#idToken === '') throw new Error('the identity provider gives no id-token');
  }

  /** The token endpoint may be on another host than the issuer. */
  async #ask(url: string, trusted: SecureContext, abort: AbortSignal, grant?: Grant): Promise<Json> {
    if (!/^https:/.test(url)) throw new Error('the identity provider has a URL that is not https');
    const accept = 'application/json';
    const { form, ...authorization } = grant ?? {};
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const asked = form
      ? ({
          method: 'POST',
          headers: { accept, ...type, ...authorization },
          body: new URLSearchParams(form).toString(),
        } as const)
      : ({ method: 'GET', headers: { accept } } as const);
    const proxy = chooseProxy(new URL(url), undefined, this.options.env);
    const tls = { ca: undefined, serverName: undefined, insecure: false };
    const connections = new Connections({ server: url, tls, proxy });
    try {
      const response = await send(url, asked, connections.agent(trusted), abort).catch(
        ({ message }: Error) => {
          throw new Error(`the identity provider cannot be reached: ${message}`);
        },
      );
      const { statusCode: status = 0 } = response;
      const text = await readText(response, status);
      if (status === 200) return record(parseJson(text));
      throw new Error(`the identity provider answers HTTP ${status}: ${printable(text, 256)}`);
    } finally {
      connections.close();
    }
  }

  /** https://datatracker.ietf.org/doc/html/rfc6749#section-6; the secret goes where the provider wants it. */
  #grant(provider: Json): Grant {
    const [id, secret] = [this.#setting('client-id'), this.#setting('client-secret')];
    const methods = texts(provider['token_endpoint_auth_methods_supported']);
    const form = { grant_type: 'refresh_token', refresh_token: this.#refreshToken };
    const inHeader = secret !== '' && (methods.length === 0 || methods.includes('client_secret_basic'));
    if (!inHeader) return { form: { ...form, client_id: id, ...(secret && { client_secret: secret }) } };
    const proof = Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64');
    this.options.learn(proof);
    return { form, authorization: `Basic ${proof}` };
  }

  /** A token without an expiry counts as expired. */
  #expires(): Millis {
    const claims = record(parseJson(Buffer.from(this.#idToken.split('.')[1] ?? '', 'base64url').toString()));
    return typeof claims['exp'] === 'number' ? claims['exp'] * 1000 - early : 0;
  }

  async #authority(abort: AbortSignal): Promise<string | undefined> {
    const data = this.#setting('idp-certificate-authority-data');
    if (data !== '') return Buffer.from(data, 'base64').toString();
    const path = this.#setting('idp-certificate-authority');
    if (path === '') return undefined;
    return await readSource({ kind: 'File', path }, { time: this.options.limit, abort });
  }

  #setting(name: string): string {
    return filled(this.settings[name]) ?? '';
  }

  #learn(): void {
    for (const secret of [this.#setting('client-secret'), this.#refreshToken, this.#idToken]) {
      this.options.learn(secret);
    }
  }
}

interface Grant {
  readonly form: Readonly<Record<string, string>>;
  readonly authorization?: string;
}
