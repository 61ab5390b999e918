import { constants, existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { User as KubeUser } from '@kubernetes/client-node';
import { printable } from '../../util/text.ts';
import { UsageError } from '../../util/usage-error.ts';
import { isAccessible, type Source } from './files.ts';
import type { Entry, ExecFields, Kubeconfig, UserFields } from './kubeconfig.ts';
import { chooseProxy, type Env, parseServer, withPassword } from './urls.ts';

export interface Connection {
  readonly context: string;
  readonly namespace: string;
  /** As it is dialled and reported: without a password, and without a slash at its end. */
  readonly server: string;
  readonly tls: {
    readonly ca: Source | undefined;
    /** The name in the server's certificate, if it differs from the one in its URL. */
    readonly serverName: string | undefined;
    readonly insecure: boolean;
  };
  readonly proxy: URL | undefined;
  readonly user: User;
  /** Whether a server that refuses connections is waited for: that of a pod may be restarting, and a laptop's is more likely off. */
  readonly isAwaited: boolean;
}

/** Everything is optional: a server may allow anonymous requests. */
interface User {
  /** Authenticates by itself: `token` does for each request, and a certificate for each connection. */
  readonly token?: Source | undefined;
  readonly certificate?: { readonly cert: Source; readonly key: Source } | undefined;
  readonly plugin?: Plugin | undefined;
  readonly oidc?: { readonly settings: Readonly<Record<string, unknown>>; readonly env: Env } | undefined;
  readonly impersonated?: Impersonated | undefined;
}

interface Impersonated {
  readonly user: string;
  readonly groups: readonly string[];
}

/** A program that prints credentials (client.authentication.k8s.io). */
export interface Plugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Env;
  readonly apiVersion: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly clusterConfig: unknown;
}

interface Settings {
  readonly env: Env;
  readonly insecure: boolean;
}

export function isInPod({ KUBERNETES_SERVICE_HOST: host }: Settings['env'], root = ''): boolean {
  return Boolean(host) && existsSync(`${root}/var/run/secrets/kubernetes.io/serviceaccount/token`);
}

/** Throws UsageError where kubectl refuses, too; the files that are named are not read yet. */
export async function connect(
  { files, merged, clusters, users }: Kubeconfig,
  context: string,
  { env, insecure }: Settings,
): Promise<Connection> {
  const chosen = merged.getContextObject(context);
  const cluster = merged.getCluster(chosen?.cluster ?? '');
  const written = clusters.get(cluster?.name ?? '');
  if (!cluster || !written) {
    throw new UsageError(`the context "${context}" in ${files.join(', ')} has no cluster with a server`);
  }
  const { title, fields } = written;
  // As in kubectl, the flag also drops the certificate authority, and the field does not.
  const ca = insecure
    ? undefined
    : await sourceOf('certificate-authority', cluster.caData, cluster.caFile, title);
  const isAnyAccepted = insecure || cluster.skipTLSVerify;
  if (isAnyAccepted && ca) {
    throw new UsageError(`${title} has both a certificate-authority and insecure-skip-tls-verify`);
  }
  const user = merged.getUser(chosen?.user ?? '');
  const own = users.get(user?.name ?? '');
  const extension = fields.extensions?.find((one) => one?.name === `${pluginGroup}/exec`)?.['extension'];
  const read = user && own ? await readUser(user, own, env, extension) : {};
  // client-node takes off a slash, which makes a host of the scheme in `https://`.
  const { url, text } = parseServer(fields.server ?? '', title);
  // As in kubectl, nothing secret is sent without TLS.
  return {
    context,
    namespace: chosen?.namespace || 'default',
    server: text,
    tls: { ca, serverName: cluster.tlsServerName || undefined, insecure: isAnyAccepted },
    proxy: chooseProxy(url, cluster.proxyUrl || undefined, env),
    isAwaited: isInPod(env),
    user: url.protocol === 'https:' ? read : { impersonated: read.impersonated },
  };
}

async function readUser(
  user: KubeUser,
  entry: Entry<UserFields>,
  env: Settings['env'],
  clusterConfig: unknown,
): Promise<User> {
  const { title, fields } = entry;
  const { tokenFile, exec, 'auth-provider': provider } = fields;
  const { token, username, password } = user;
  if (username || password) throw withPassword(title);
  const unsupported = ['as-uid', 'as-user-extra'].find((name) => fields[name]);
  if (unsupported)
    throw new UsageError(`${title} has ${unsupported}, which sidecar-sweeper does not support`);
  if (exec && provider) throw new UsageError(`${title} has both exec and auth-provider`);
  if (provider && provider.name !== 'oidc') {
    const name = printable(provider.name ?? '');
    throw new UsageError(
      `auth-provider of ${title} is "${name}", which kubectl does not support either; use a credential plugin (exec)`,
    );
  }
  const cert = await sourceOf('client-certificate', user.certData, user.certFile, title);
  const key = await sourceOf('client-key', user.keyData, user.keyFile, title);
  if (cert && !key) throw new UsageError(`${title} has a client-certificate, but no client-key`);
  return {
    // client-node does not know tokenFile.
    token: tokenFile
      ? await fileOf('tokenFile', pathFrom(entry, tokenFile), title)
      : token
        ? { kind: 'Text', text: token }
        : undefined,
    certificate: cert && key && { cert, key },
    plugin: exec ? pluginOf(exec, entry, env, clusterConfig) : undefined,
    oidc: provider ? { settings: provider.config ?? {}, env } : undefined,
    impersonated: impersonatedOf(fields, title),
  };
}

async function sourceOf(
  name: string,
  data: string | undefined,
  path: string | undefined,
  title: string,
): Promise<Source | undefined> {
  if (data && path) throw new UsageError(`${title} has both ${name} and ${name}-data`);
  if (data) return { kind: 'Text', text: Buffer.from(data, 'base64').toString('utf8') };
  return path ? await fileOf(name, path, title) : undefined;
}

async function fileOf(name: string, path: string, title: string): Promise<Source> {
  if (await isAccessible(path, constants.R_OK)) return { kind: 'File', path };
  throw new UsageError(`${name} of ${title} cannot be read: ${printable(path)}`);
}

function pathFrom({ folder }: Entry<UserFields>, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/** client-node reads only `as`. */
function impersonatedOf(fields: UserFields, title: string): Impersonated | undefined {
  const { as: user, 'as-groups': groups } = fields;
  if (user) return { user, groups: groups ?? [] };
  if (!groups?.length) return undefined;
  throw new UsageError(`${title} has as-groups, but no as`);
}

const pluginGroup = 'client.authentication.k8s.io';

function pluginOf(
  { command, apiVersion, args, interactiveMode, installHint, provideClusterInfo, ...exec }: ExecFields,
  entry: Entry<UserFields>,
  env: Settings['env'],
  clusterConfig: unknown,
): Plugin {
  const title = `exec of ${entry.title}`;
  if (!command) throw new UsageError(`${title} has no command`);
  if (apiVersion !== `${pluginGroup}/v1` && apiVersion !== `${pluginGroup}/v1beta1`) {
    const update = `update ${printable(command)} and let it write the kubeconfig again`;
    throw new UsageError(
      `apiVersion of ${title} is not ${pluginGroup}/v1 or ${pluginGroup}/v1beta1: ${update}`,
    );
  }
  const mode = interactiveMode || (apiVersion.endsWith('/v1') ? undefined : 'IfAvailable');
  if (mode !== 'Never' && mode !== 'IfAvailable' && mode !== 'Always') {
    throw new UsageError(`interactiveMode of ${title} is not Never, IfAvailable or Always`);
  }
  const own = (exec.env ?? []).map((one) => [one?.name ?? '', one?.value ?? '']);
  return {
    command: command.includes('/') ? pathFrom(entry, command) : command,
    args: args ?? [],
    env: { ...env, ...Object.fromEntries(own) },
    apiVersion,
    interactiveMode: mode,
    installHint: installHint || undefined,
    provideClusterInfo: provideClusterInfo === true,
    clusterConfig,
  };
}
