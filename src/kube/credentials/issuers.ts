import type { Millis } from '../../duration.ts';
import type { Clock } from '../../ports.ts';
import type { Connection, Plugin } from '../kubeconfig/connection.ts';
import { type ClusterInfo, execInfo, type Issued, parseExecCredential } from './exec-credential.ts';
import { IdentityProvider } from './identity-provider.ts';
import { Issuer } from './issuer.ts';
import { runPlugin } from './run-plugin.ts';
import { readSource } from './source.ts';

export interface IssuerOptions {
  /** How long it may take to get a credential. */
  readonly limit: Millis;
  readonly clock: Clock;
  /** Shows a plugin's questions to the person at the terminal; undefined if there is none. */
  readonly prompt: ((text: string) => void) | undefined;
  /** Takes what was sent to prove who we are out of a text. */
  readonly redact: (text: string) => string;
  /** Learns what no text may show. */
  readonly learn: (secret: string) => void;
}

/** Who issues the credentials of a user; undefined if the kubeconfig has them, which take precedence. */
export function issuerOf(connection: Connection, options: IssuerOptions): Issuer | undefined {
  const { token, basic, certificate, plugin, oidc } = connection.user;
  if (token || basic) return undefined;
  if (oidc) {
    const provider = new IdentityProvider(oidc, options);
    return new Issuer((abort) => provider.ask(abort), options.clock);
  }
  if (!plugin || certificate) return undefined;
  return new Issuer((abort) => askPlugin(plugin, connection, options, abort), options.clock);
}

async function askPlugin(
  plugin: Plugin,
  connection: Connection,
  { prompt, limit, clock, redact }: IssuerOptions,
  abort: AbortSignal,
): Promise<Issued> {
  const answering = plugin.interactiveMode === 'Never' ? undefined : prompt;
  if (plugin.interactiveMode === 'Always' && !answering) {
    throw new Error(`the credential plugin ${plugin.command} needs a terminal (interactiveMode: Always)`);
  }
  const cluster = plugin.provideClusterInfo ? await clusterInfo(connection, plugin) : undefined;
  const info = execInfo(plugin, answering !== undefined, cluster);
  return parseExecCredential(
    plugin,
    await runPlugin({ plugin, info, prompt: answering, limit, clock, redact }, abort),
  );
}

async function clusterInfo({ server, tls, proxy }: Connection, plugin: Plugin): Promise<ClusterInfo> {
  const ca = await readSource(tls.ca);
  return {
    server,
    'tls-server-name': tls.serverName,
    'insecure-skip-tls-verify': tls.insecure || undefined,
    'certificate-authority-data': ca && Buffer.from(ca).toString('base64'),
    'proxy-url': proxy?.href.replace(/\/$/, ''),
    config: plugin.clusterConfig ?? null,
  };
}
