import { type ChildProcess, spawn } from 'node:child_process';
import { bounds } from '../../model/bounds.ts';
import { onAbort } from '../../util/concurrency.ts';
import { filled, parseJson, parseTime, record } from '../../util/json.ts';
import { printable } from '../../util/text.ts';
import { inTime, type Millis } from '../../util/time.ts';
import type { Connection, Plugin } from './connection.ts';
import { readSource } from './files.ts';

export interface Issued {
  readonly token: string | undefined;
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
  /** Undefined if it is valid until the server refuses it. */
  readonly expires: Millis | undefined;
}

interface PluginOptions {
  readonly prompt: ((text: string) => void) | undefined;
  readonly limit: Millis;
  readonly redact: (text: string) => string;
}

export interface PluginRun extends PluginOptions {
  readonly plugin: Pick<Plugin, 'command' | 'args' | 'env' | 'installHint'>;
  readonly info: string;
}

/** https://kubernetes.io/docs/reference/config-api/client-authentication.v1/ */
export async function askPlugin(
  plugin: Plugin,
  { server, tls, proxy }: Connection,
  options: PluginOptions,
  abort: AbortSignal,
): Promise<Issued> {
  const prompt = plugin.interactiveMode === 'Never' ? undefined : options.prompt;
  if (plugin.interactiveMode === 'Always' && !prompt) {
    throw new Error(`the credential plugin ${plugin.command} needs a terminal (interactiveMode: Always)`);
  }
  const ca = plugin.provideClusterInfo && (await readSource(tls.ca, { time: options.limit, abort }));
  const cluster = {
    server,
    'tls-server-name': tls.serverName,
    'insecure-skip-tls-verify': tls.insecure || undefined,
    'certificate-authority-data': ca ? Buffer.from(ca).toString('base64') : undefined,
    'proxy-url': proxy?.href.replace(/\/$/, ''),
    config: plugin.clusterConfig ?? null,
  };
  const spec = { interactive: prompt !== undefined, ...(plugin.provideClusterInfo && { cluster }) };
  const info = JSON.stringify({ kind: 'ExecCredential', apiVersion: plugin.apiVersion, spec });
  return parseExecCredential(plugin, await runPlugin({ ...options, plugin, info, prompt }, abort));
}

/** Throws an Error that quotes nothing of what the plugin has printed. */
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

/** The plugin's stderr may hold secrets, and is shown only on the terminal. */
export async function runPlugin(run: PluginRun, abort: AbortSignal): Promise<string> {
  abort.throwIfAborted();
  const { plugin, limit, prompt } = run;
  const name = `the credential plugin ${printable(plugin.command)}`;
  const late = new Error(`${name} did not answer within ${limit / 1000}s (--request-timeout)`);
  try {
    const { stdout, ending } = await inTime(limit, late, abort, (over) => followed(run, over));
    if (stdout.length > bounds.pluginOutput) {
      throw new Error(`${name} printed more than ${bounds.pluginOutput} bytes`);
    }
    if (ending === 'exited with code 0') return stdout;
    throw new Error(`${name} ${ending}${prompt ? '' : ': run its command by hand to see why'}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const hint = plugin.installHint === undefined ? '' : `: ${printable(plugin.installHint)}`;
    throw new Error(`${name} is not installed${hint}`);
  }
}

function followed(
  { plugin, info, prompt, redact }: PluginRun,
  over: AbortSignal,
): Promise<{ readonly stdout: string; readonly ending: string }> {
  const child = spawn(plugin.command, [...plugin.args], {
    env: { ...plugin.env, KUBERNETES_EXEC_INFO: info },
    stdio: prompt ? ['inherit', 'pipe', 'pipe'] : ['ignore', 'pipe', 'ignore'],
    // A process group, so that its children can be killed; but only the terminal's own group may read from it.
    detached: !prompt,
  });
  const kill = () => killWithChildren(child, !prompt);
  onAbort(over, kill);
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
