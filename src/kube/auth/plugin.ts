import { type ChildProcess, spawn } from 'node:child_process';
import { bounds } from '../../model/bounds.ts';
import { onAbort } from '../../util/concurrency.ts';
import { printable } from '../../util/text.ts';
import type { Clock, Millis } from '../../util/time.ts';
import { filled, parseJson, parseTime, record } from '../json.ts';
import type { Plugin } from './connection.ts';

/** What a plugin or an identity provider has issued. */
export interface Issued {
  readonly token: string | undefined;
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
  /** Undefined if it is valid until the server refuses it. */
  readonly expires: number | undefined;
}

/** The cluster that a plugin may be told of; the names are those of the protocol. */
export interface ClusterInfo {
  readonly server: string;
  readonly 'tls-server-name'?: string | undefined;
  readonly 'insecure-skip-tls-verify'?: boolean | undefined;
  readonly 'certificate-authority-data'?: string | undefined;
  readonly 'proxy-url'?: string | undefined;
  readonly config?: unknown;
}

/** What a plugin reads from KUBERNETES_EXEC_INFO. */
export function execInfo(
  { apiVersion }: Plugin,
  interactive: boolean,
  cluster: ClusterInfo | undefined,
): string {
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec: { cluster, interactive } });
}

/** Reads what a plugin has printed. Throws an Error that quotes none of it. */
export function parseExecCredential({ command, apiVersion }: Plugin, output: string): Issued {
  const wrong = (what: string) => new Error(`the credential plugin ${command} ${what}`);
  const credential = record(parseJson(output));
  if (credential['kind'] !== 'ExecCredential') throw wrong('printed something other than an ExecCredential');
  if (credential['apiVersion'] !== apiVersion) throw wrong(`answered in another version than ${apiVersion}`);
  const status = record(credential['status']);
  const token = filled(status['token']);
  const [cert, key] = [filled(status['clientCertificateData']), filled(status['clientKeyData'])];
  if ((cert === undefined) !== (key === undefined)) throw wrong('gave only one of certificate and key');
  const certificate = cert && key ? { cert, key } : undefined;
  if (!token && !certificate) throw wrong('gave neither a token nor a certificate');
  return { token, certificate, expires: parseTime(status['expirationTimestamp']) };
}

export interface PluginRun {
  readonly plugin: Pick<Plugin, 'command' | 'args' | 'env' | 'installHint'>;
  /** The value of KUBERNETES_EXEC_INFO. */
  readonly info: string;
  /** Shows a person what the plugin asks; undefined without a terminal. */
  readonly prompt: ((text: string) => void) | undefined;
  readonly limit: Millis;
  readonly clock: Clock;
  /** Takes what was sent to prove who we are out of what it says. */
  readonly redact: (text: string) => string;
}

/**
 * Runs a credential plugin and resolves to what it prints, which is never shown; what it writes to stderr is shown to a person at
 * the terminal alone, because it may hold secrets. Rejects with one printable line if it fails. It and its children are killed at the
 * time limit, or if aborted.
 */
export async function runPlugin(run: PluginRun, abort: AbortSignal): Promise<string> {
  abort.throwIfAborted();
  const { plugin, limit, clock, prompt } = run;
  const name = `the credential plugin ${printable(plugin.command)}`;
  const over = new AbortController();
  let late = false;
  const child = start(run);
  const kill = () => killWithChildren(child, prompt === undefined);
  const leave = onAbort(abort, kill);
  const timer = clock.sleep(limit, over.signal).then(() => {
    if (over.signal.aborted) return;
    late = true;
    kill();
  });
  try {
    const { stdout, ending } = await followed(child, run, kill);
    if (late) throw new Error(`${name} did not answer within ${limit / 1000}s (--request-timeout)`);
    if (stdout.length > bounds.pluginOutput) {
      throw new Error(`${name} printed more than ${bounds.pluginOutput} bytes`);
    }
    if (ending === 'exited with code 0') return stdout;
    throw new Error(`${name} ${ending}${prompt ? '' : ': run its command by hand to see why'}`);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const hint = plugin.installHint === undefined ? '' : `: ${printable(plugin.installHint)}`;
    throw new Error(`${name} is not installed${hint}`);
  } finally {
    leave();
    over.abort();
    await timer;
  }
}

function start({ plugin, info, prompt }: PluginRun): ChildProcess {
  const interactive = prompt !== undefined;
  return spawn(plugin.command, [...plugin.args], {
    env: { ...plugin.env, KUBERNETES_EXEC_INFO: info },
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'pipe' : 'ignore'],
    // A process group, so that its children can be killed; but only the terminal's own group may read from it.
    detached: !interactive,
  });
}

interface Followed {
  readonly stdout: string;
  readonly ending: string;
}

function followed(child: ChildProcess, { prompt, redact }: PluginRun, kill: () => void): Promise<Followed> {
  let [stdout, asked] = ['', 0];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.length > bounds.pluginOutput) kill();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = redact(text).split('\n');
    if (asked < bounds.pluginQuestions) prompt?.(lines.map((line) => printable(line)).join('\n'));
    asked += text.length;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ stdout, ending: signal ? `was ended by ${signal}` : `exited with code ${code}` });
    });
  });
}

function killWithChildren(child: ChildProcess, isGroup: boolean): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended by itself.
  }
  // A grandchild that left the group would keep them open.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
