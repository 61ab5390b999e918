import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { UsageError } from '../../util/usage-error.ts';
import { type Connection, connect, isInPod } from './connection.ts';
import { isAccessible } from './files.ts';
import { type Kubeconfig, loadClientNode, readKubeconfig } from './kubeconfig.ts';
import { chooseProxy } from './urls.ts';

interface KubeconfigOptions {
  readonly kubeconfig?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ConfigOptions extends KubeconfigOptions {
  readonly context?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
}

/** As kubectl does: --kubeconfig, KUBECONFIG, ~/.kube/config and, in a pod, the service account. */
export async function loadConfig(options: ConfigOptions): Promise<Connection> {
  const { env, context, insecureSkipTlsVerify: insecure = false } = options;
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && !insecure) {
    throw new UsageError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 would accept any certificate: unset it, or say so with --insecure-skip-tls-verify',
    );
  }
  const files = await configFiles(options);
  if (files.length > 0) {
    const found = await readKubeconfig(files);
    return await connect(found, chooseContext(found, context), { env, insecure });
  }
  if (context === undefined) return await inCluster(env, insecure);
  throw new UsageError('--context needs a kubeconfig, and none was found');
}

export async function contextNames(options: KubeconfigOptions): Promise<readonly string[]> {
  const { merged } = await readKubeconfig(await configFiles(options));
  return merged.contexts.map(({ name }) => name);
}

async function configFiles({ kubeconfig, env }: KubeconfigOptions): Promise<readonly string[]> {
  if (kubeconfig !== undefined) {
    if (await isAccessible(kubeconfig)) return [kubeconfig];
    throw new UsageError(`the kubeconfig ${kubeconfig} does not exist`);
  }
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) {
    const existing = await accessible(listed);
    if (existing.length > 0) return existing;
    throw new UsageError(`no file that KUBECONFIG names exists: ${listed.join(', ')}`);
  }
  const home = env['HOME'] ?? homeOfUser();
  return home === undefined ? [] : await accessible([join(home, '.kube', 'config')]);
}

async function accessible(files: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(files.map((file) => isAccessible(file)));
  return files.filter((_, index) => answers[index]);
}

/** A container may run as a user whom its image does not know, and who has no home. */
function homeOfUser(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

function chooseContext({ merged, files }: Kubeconfig, wanted: string | undefined): string {
  const contexts = merged.contexts.map(({ name }) => name);
  const where = files.join(', ');
  if (contexts.length === 0) throw new UsageError(`there is no context in ${where}: is it a kubeconfig?`);
  const choice = `it has ${contexts.join(', ')}`;
  const context = wanted ?? merged.currentContext;
  if (!context) {
    throw new UsageError(`${where} has no current context; choose one with --context (${choice})`);
  }
  if (contexts.includes(context)) return context;
  const which = wanted === undefined ? 'current context' : 'context';
  throw new UsageError(`the ${which} "${context}" is not in ${where}, or has no cluster; ${choice}`);
}

/** The files of the service account are under another root in tests. */
export async function inCluster(
  env: ConfigOptions['env'],
  insecure: boolean,
  root = '',
): Promise<Connection> {
  if (!isInPod(env, root)) {
    const here = env['KUBERNETES_SERVICE_HOST']
      ? 'this pod has no token (automountServiceAccountToken)'
      : 'this is not a pod';
    throw new UsageError(
      `no cluster to talk to: there is no ~/.kube/config and ${here}; name a kubeconfig with --kubeconfig or KUBECONFIG`,
    );
  }
  const { KubeConfig } = await loadClientNode();
  const config = new KubeConfig();
  config.loadFromCluster(root);
  const context = config.getCurrentContext();
  const ca = config.getCurrentCluster()?.caFile ?? '';
  // client-node uses plain http on the ports 80, 8080 and 8001, and would send the token over it; client-go never does.
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = env;
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    context,
    namespace: config.getContextObject(context)?.namespace || 'default',
    server,
    tls: { ca: insecure ? undefined : { kind: 'File', path: ca }, serverName: undefined, insecure },
    proxy: chooseProxy(new URL(server), undefined, env),
    isAwaited: true,
    user: { token: { kind: 'File', path: config.getCurrentUser()?.authProvider.config.tokenFile } },
  };
}
