import { constants, existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { User as KubeUser } from '@kubernetes/client-node';
import { printable } from '../../util/text.ts';
import { UsageError } from '../../util/usage-error.ts';
import { filled, type Json, record, records, texts } from '../json.ts';
import { isAccessible, type Source } from './files.ts';
import type { Entry, Kubeconfig } from './kubeconfig.ts';
import { chooseProxy, parseServer } from './urls.ts';

/** Where an API server is, and who speaks to it: what a context of a kubeconfig comes to. */
export interface Connection {
  readonly context: string;
  /** Where a name without a namespace is. */
  readonly namespace: string;
  /** As it is dialled and reported: without a password, and without a slash at its end. */
  readonly server: string;
  readonly tls: Tls;
  readonly proxy: URL | undefined;
  readonly user: User;
  /** Whether a server that refuses connections is waited for: that of a pod may be restarting, and a laptop's is more likely off. */
  readonly isAwaited: boolean;
}

interface Tls {
  readonly ca: Source | undefined;
  /** The name in the server's certificate, if it is not that of its URL. */
  readonly serverName: string | undefined;
  /** Whether any certificate will do. */
  readonly insecure: boolean;
}

/** Everything is optional: a server may allow anonymous requests. */
export interface User {
  /** Authenticates by itself: `token` does for each request, and a certificate for each connection. */
  readonly token?: Source | undefined;
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  readonly certificate?: { readonly cert: Source; readonly key: Source } | undefined;
  readonly plugin?: Plugin | undefined;
  /** The settings of the auth-provider oidc. */
  readonly oidc?: Readonly<Record<string, unknown>> | undefined;
  readonly impersonated?: Impersonated | undefined;
}

export interface Impersonated {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A program that prints credentials (client.authentication.k8s.io). */
export interface Plugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly apiVersion: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  readonly installHint: string | undefined;
  /** Whether it is told which cluster it is for. */
  readonly provideClusterInfo: boolean;
  /** What the cluster's extension holds for plugins. */
  readonly clusterConfig: unknown;
}

interface Settings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the command line allows any certificate of the server. */
  readonly insecure: boolean;
}

/** Whether this process runs in a pod, with the token of its service account. */
export function isInPod({ KUBERNETES_SERVICE_HOST: host }: Settings['env'], root = ''): boolean {
  return Boolean(host) && existsSync(`${root}/var/run/secrets/kubernetes.io/serviceaccount/token`);
}

/** What a context comes to; the files that it names are not read yet. Throws UsageError where kubectl refuses, too. */
export async function connect(
  { files, merged, entry }: Kubeconfig,
  context: string,
  { env, insecure }: Settings,
): Promise<Connection> {
  const chosen = merged.getContextObject(context);
  const cluster = merged.getCluster(chosen?.cluster ?? '');
  const written = entry('cluster', cluster?.name ?? '');
  if (!cluster || !written) {
    throw new UsageError(`the context "${context}" in ${files.join(', ')} has no cluster with a server`);
  }
  const { title } = written;
  // As in kubectl, the flag also drops the certificate authority, and the field does not.
  const ca = insecure
    ? undefined
    : await sourceOf('certificate-authority', cluster.caData, cluster.caFile, title);
  const isAnyAccepted = insecure || cluster.skipTLSVerify;
  if (isAnyAccepted && ca) {
    throw new UsageError(`${title} has both a certificate-authority and insecure-skip-tls-verify`);
  }
  const user = merged.getUser(chosen?.user ?? '');
  const own = user && entry('user', user.name);
  const read = own ? await readUser(user, own, { env, clusterConfig: clusterConfigOf(written.fields) }) : {};
  // client-node takes off a slash, which makes a host of the scheme in `https://`.
  const { url, text, basic } = parseServer(filled(written.fields['server']) ?? '', title);
  // As in kubectl, nothing secret is sent without TLS, and a password in the URL takes precedence.
  const safe = url.protocol === 'https:' ? read : { impersonated: read.impersonated };
  return {
    context,
    namespace: chosen?.namespace || 'default',
    server: text,
    tls: { ca, serverName: cluster.tlsServerName || undefined, insecure: isAnyAccepted },
    proxy: chooseProxy(url, cluster.proxyUrl || undefined, env),
    isAwaited: isInPod(env),
    user: basic ? { certificate: safe.certificate, impersonated: safe.impersonated, basic } : safe,
  };
}

interface ForPlugin {
  readonly env: Settings['env'];
  readonly clusterConfig: unknown;
}

async function readUser(user: KubeUser, entry: Entry, forPlugin: ForPlugin): Promise<User> {
  const { title, fields } = entry;
  const { username, password } = user;
  const basic = username || password ? { username: username ?? '', password: password ?? '' } : undefined;
  // client-node does not know tokenFile.
  const tokenFile = filled(fields['tokenFile']);
  const token: Source | undefined = tokenFile
    ? await fileOf('tokenFile', pathFrom(entry, tokenFile), title)
    : user.token
      ? { kind: 'Text', text: user.token }
      : undefined;
  if (basic && token) throw new UsageError(`${title} has both a token and a password`);
  if (user.exec && user.authProvider) throw new UsageError(`${title} has both exec and auth-provider`);
  const cert = await sourceOf('client-certificate', user.certData, user.certFile, title);
  const key = await sourceOf('client-key', user.keyData, user.keyFile, title);
  if (cert && !key) throw new UsageError(`${title} has a client-certificate, but no client-key`);
  return {
    token,
    basic,
    certificate: cert && key && { cert, key },
    plugin: user.exec ? pluginOf(record(user.exec), entry, forPlugin) : undefined,
    oidc: user.authProvider ? oidcOf(record(user.authProvider), title) : undefined,
    impersonated: impersonatedOf(user.impersonateUser || undefined, fields, title),
  };
}

/** A certificate or key, in the kubeconfig or in a file. */
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

function pathFrom({ folder }: Entry, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/** client-node reads only `as`. */
function impersonatedOf(user: string | undefined, fields: Json, title: string): Impersonated | undefined {
  const uid = filled(fields['as-uid']);
  const groups = texts(fields['as-groups']);
  const extra = record(fields['as-user-extra']) as Impersonated['extra'];
  if (user !== undefined) return { user, uid, groups, extra };
  if (uid === undefined && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw new UsageError(`${title} has as-uid, as-groups or as-user-extra, but no as`);
}

const pluginGroup = 'client.authentication.k8s.io';

function pluginOf(exec: Json, entry: Entry, { env, clusterConfig }: ForPlugin): Plugin {
  const title = `exec of ${entry.title}`;
  const command = filled(exec['command']);
  if (command === undefined) throw new UsageError(`${title} has no command`);
  const apiVersion = filled(exec['apiVersion']) ?? '';
  if (apiVersion === `${pluginGroup}/v1alpha1`) {
    // https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.24.md
    const update = `update ${printable(command)} and let it write the kubeconfig again, or set v1beta1 there`;
    throw new UsageError(`apiVersion of ${title} is ${apiVersion}, which Kubernetes 1.24 removed: ${update}`);
  }
  if (![`${pluginGroup}/v1`, `${pluginGroup}/v1beta1`].includes(apiVersion)) {
    throw new UsageError(`apiVersion of ${title} is not ${pluginGroup}/v1 or ${pluginGroup}/v1beta1`);
  }
  const mode = filled(exec['interactiveMode']) ?? (apiVersion.endsWith('/v1') ? undefined : 'IfAvailable');
  if (mode !== 'Never' && mode !== 'IfAvailable' && mode !== 'Always') {
    throw new UsageError(`interactiveMode of ${title} is not Never, IfAvailable or Always`);
  }
  const own = records(exec['env']).map(({ name, value }) => [filled(name) ?? '', filled(value) ?? '']);
  return {
    command: command.includes('/') ? pathFrom(entry, command) : command,
    args: texts(exec['args']),
    env: { ...env, ...Object.fromEntries(own) },
    apiVersion,
    interactiveMode: mode,
    installHint: filled(exec['installHint']),
    provideClusterInfo: exec['provideClusterInfo'] === true,
    clusterConfig,
  };
}

/** What a cluster's extensions hold for plugins. */
function clusterConfigOf(cluster: Json): unknown {
  const extensions = records(cluster['extensions']);
  return extensions.find(({ name }) => name === `${pluginGroup}/exec`)?.['extension'];
}

function oidcOf({ name, config }: Json, title: string): User['oidc'] {
  if (name === 'oidc') return record(config);
  throw new UsageError(
    `auth-provider of ${title} is "${printable(filled(name) ?? '')}", which kubectl does not support either; use a credential plugin (exec)`,
  );
}
