import type { RequestOptions } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
import { Agent, type Dispatcher } from 'undici';
import { systemClock } from '../clock.ts';
import type { Millis } from '../duration.ts';
import { type Endurance, type Pace, Patience } from '../patience.ts';
import { printable } from '../printable.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import type { Answer } from './answer.ts';
import { readText } from './body.ts';
import { type Asked, exchange, type Take, type Tried, unanswered } from './http.ts';
import { Quiet } from './quiet.ts';
import { quietAfter } from './retry-after.ts';
import { Secrets } from './secrets.ts';

/** What a WebSocket needs to reach the same server as the same user. */
export type SocketOptions = RequestOptions;

/** A request that changes something. */
export interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  readonly contentType?: string;
}

/** How to open a WebSocket. */
export interface Socket {
  readonly url: string;
  readonly options: SocketOptions & { readonly secureContext: SecureContext };
}

/** What a WebSocket needs of a transport. */
export type SocketTransport = Pick<Transport, 'socket' | 'server' | 'keepQuiet' | 'redact'>;

/** What a list needs of one. */
export type ListTransport = Pick<Transport, 'read' | 'redact'>;

/** A token file, a certificate or a credential plugin of the kubeconfig cannot be used. */
export class CredentialError extends Error {
  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`the credentials of the kubeconfig cannot be used: ${printable(message)}`);
  }
}

/** A read is worth a few seconds of pauses, and a minute if the server asks for longer ones or answers late. */
const endurance: Endurance = { firstPause: 200, leastTries: 2, mostTries: 6, time: 60_000 };

/**
 * HTTP to one API server over connections that are kept. client-node's own API classes open a new connection
 * for each call, neither retry nor time out, and turn answers that are not lists into empty lists.
 */
export class Transport {
  #lastContext: { readonly fingerprint: string; readonly context: SecureContext } | undefined;
  readonly #quiet: Quiet;
  readonly #secrets = new Secrets();

  private constructor(
    readonly server: string,
    private config: KubeConfig,
    private readonly dispatcher: Dispatcher,
    private readonly timeout: Millis,
    private readonly pace: Pace,
  ) {
    this.#quiet = new Quiet(pace.clock);
    this.#secrets.learnUrl(config.getCurrentCluster()?.proxyUrl);
  }

  /** Throws UsageError when certificates, proxy or credentials of the configuration cannot be used. */
  static async open(
    config: KubeConfig,
    timeout: Millis,
    pace: Pace = { clock: systemClock, random: Math.random },
  ): Promise<Transport> {
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new UsageError('the configuration names no cluster');
    // Plain http (as with kubectl proxy) has no TLS to verify, but client-node insists on being told.
    if (cluster.server.startsWith('http:')) Object.assign(cluster, { skipTLSVerify: true });
    if (!/^https?:\/\/\S+$/.test(cluster.server)) {
      throw new UsageError(
        `the server of the kubeconfig is not an http(s) URL: ${printable(cluster.server)}`,
      );
    }
    const context = new RequestContext(cluster.server, HttpMethod.GET);
    try {
      await config.applySecurityAuthentication(context);
    } catch (error) {
      throw new UsageError(new CredentialError(error).message);
    }
    const dispatcher = context.getDispatcher() ?? new Agent();
    return new Transport(withoutCredentials(cluster.server), config, dispatcher, timeout, pace);
  }

  /** Takes what was sent to prove who we are out of a text. */
  readonly redact = (text: string): string => this.#secrets.redact(text);

  /** Reads a path of the API. */
  get(path: string, query: Readonly<Record<string, string>>, abort: AbortSignal): Promise<Answer> {
    return this.read(path, query, this.#readText, abort);
  }

  /** Reads a path of the API, of which the body is taken as it arrives. */
  read<Body>(
    path: string,
    query: Readonly<Record<string, string>>,
    take: Take<Body>,
    abort: AbortSignal,
  ): Promise<Answer<Body>> {
    return this.#askAgain({ method: 'GET', path, query }, take, abort);
  }

  /** Asks by a POST that changes nothing. */
  ask(path: string, body: unknown, abort: AbortSignal): Promise<Answer> {
    return this.#askAgain({ method: 'POST', path, ...asJson(body) }, this.#readText, abort);
  }

  /** Writes. Never repeated: only a read can tell whether a write that was not answered took place. */
  async send(write: Write, abort: AbortSignal): Promise<Answer> {
    const { method, path, body, contentType } = write;
    return (await this.#ask({ method, path, ...asJson(body, contentType) }, this.#readText, abort)).answer;
  }

  /** Sends no request for as long as a server wants none. */
  keepQuiet(status: number, retryAfter: string | undefined, body: string): void {
    this.#quiet.keep(quietAfter(status, retryAfter, body));
  }

  /** Asks, and again if the server is busy or broken or the connection fails. What is asked must change nothing. */
  async #askAgain<Body>(asked: Asked, take: Take<Body>, abort: AbortSignal): Promise<Answer<Body>> {
    const patience = new Patience(endurance, this.pace);
    for (;;) {
      const { answer, isFleeting } = await this.#ask(asked, take, abort);
      if (!isFleeting || !(await patience.again(abort))) return answer;
    }
  }

  async #ask<Body>(asked: Asked, take: Take<Body>, abort: AbortSignal): Promise<Tried<Body>> {
    await this.#quiet.over(abort);
    const options = await this.#authenticate();
    if (options instanceof CredentialError) {
      return unanswered({ kind: 'Unauthorized', message: options.message });
    }
    const headers = { ...headersOf(options), accept: 'application/json', 'user-agent': userAgent };
    const { server, dispatcher, timeout } = this;
    const line = { server, dispatcher, timeout, abort };
    const tried = await exchange({ ...asked, headers: { ...headers, ...asked.headers } }, take, line);
    const { answer } = tried;
    if (answer.kind === 'Unanswered') {
      const problem = { ...answer.problem, message: this.redact(answer.problem.message) };
      return { ...tried, answer: { ...answer, problem } };
    }
    this.keepQuiet(answer.status, answer.retryAfter, typeof answer.body === 'string' ? answer.body : '');
    return tried;
  }

  /** What a server answers with besides objects is written somewhere, and may repeat what was sent. */
  readonly #readText: Take<string> = async (bytes, status) => {
    const text = await readText(bytes, status);
    return status < 300 ? text : this.redact(text);
  };

  /** The URL and the options for a WebSocket to a path of the API. */
  async socket(path: string, abort: AbortSignal): Promise<Socket | CredentialError> {
    await this.#quiet.over(abort);
    const options = await this.#authenticate();
    if (options instanceof CredentialError) return options;
    const headers = { ...headersOf(options), 'user-agent': userAgent };
    const { ca, cert, key, ...rest } = options;
    try {
      const secureContext = this.#secureContext({ ca, cert, key });
      return {
        url: `${this.server.replace(/^http/, 'ws')}${path}`,
        options: { ...rest, headers, secureContext },
      };
    } catch (error) {
      // A plugin may give something that is not a certificate.
      return new CredentialError(error);
    }
  }

  /** Reads certificates once: reading them for every connection costs more than the connection itself. */
  #secureContext(certificates: Pick<SocketOptions, 'ca' | 'cert' | 'key'>): SecureContext {
    const { ca, cert, key } = certificates;
    const fingerprint = [ca, cert, key].map(String).join();
    if (this.#lastContext?.fingerprint !== fingerprint) {
      this.#lastContext = { fingerprint, context: createSecureContext({ ca, cert, key }) };
    }
    return this.#lastContext.context;
  }

  /** The current credentials; their source (a file, a plugin) also renews them. */
  async #authenticate(): Promise<SocketOptions | CredentialError> {
    const options: SocketOptions = {};
    const late = new AbortController();
    const tooLate = new Promise<never>((_resolve, reject) => {
      const message = `the credential plugin did not answer within ${this.timeout / 1000}s (--request-timeout)`;
      const timer = setTimeout(() => reject(new Error(message)), this.timeout);
      late.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    try {
      await Promise.race([this.config.applyToHTTPSOptions(options), tooLate]);
      this.#secrets.learnHeaders(headersOf(options));
      return options;
    } catch (error) {
      // client-node keeps what a plugin said, even if it makes no sense; a copy asks it again.
      this.config = copyOf(this.config);
      return new CredentialError(error);
    } finally {
      late.abort();
    }
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }
}

function copyOf(config: KubeConfig): KubeConfig {
  const { clusters, users, contexts, currentContext } = config;
  const copy = new KubeConfig();
  copy.loadFromOptions({ clusters, users, contexts, currentContext });
  return copy;
}

/** The server's URL as it is dialled and reported; a password in it would be in every message. */
function withoutCredentials(server: string): string {
  return server.replace(/^(https?:\/\/)[^/]*@/, '$1').replace(/\/+$/, '');
}

const userAgent = `sidecar-sweeper/${version}`;

function asJson(body: unknown, type = 'application/json'): Pick<Asked, 'headers' | 'body'> {
  return { headers: { 'content-type': type }, body: JSON.stringify(body) };
}

function headersOf(options: SocketOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value !== undefined) headers[name] = String(value);
  }
  // Basic authentication comes as an option of node:http, which undici does not know.
  if (options.auth) headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  return headers;
}
