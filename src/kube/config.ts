import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { UsageError } from '../usage-error.ts';

export interface ConfigOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * Finds the cluster the way kubectl does: --kubeconfig, KUBECONFIG, ~/.kube/config and, in a pod, the service
 * account. Throws UsageError.
 */
export function loadConfig(options: ConfigOptions): KubeConfig {
  const files = configFiles(options);
  if (files.length === 0) return loadInCluster(options);
  const config = merge(files.map(readConfig));
  chooseContext(config, options.context, files);
  return config;
}

function configFiles({ kubeconfig, env }: ConfigOptions): readonly string[] {
  if (kubeconfig !== undefined) {
    if (!existsSync(kubeconfig)) throw new UsageError(`the kubeconfig ${kubeconfig} does not exist`);
    return [kubeconfig];
  }
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) {
    const existing = listed.filter((file) => existsSync(file));
    if (existing.length === 0) {
      throw new UsageError(`KUBECONFIG names ${listed.join(', ')}, which does not exist`);
    }
    return existing;
  }
  const home = env['HOME'] ?? homeOfUser();
  const file = home === undefined ? undefined : join(home, '.kube', 'config');
  return file !== undefined && existsSync(file) ? [file] : [];
}

/** A container may run as a user whom its image does not know, and who has no home. */
function homeOfUser(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

function loadInCluster({ context, env }: ConfigOptions): KubeConfig {
  if (!env['KUBERNETES_SERVICE_HOST'] || !existsSync(serviceAccount)) {
    throw new UsageError(
      'no cluster to talk to: there is no ~/.kube/config and this is not a pod; name a kubeconfig with --kubeconfig or KUBECONFIG',
    );
  }
  if (context !== undefined) throw new UsageError('--context needs a kubeconfig, and none was found');
  const config = new KubeConfig();
  config.loadFromCluster();
  return config;
}

function readConfig(file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    // An empty file is no mistake as long as another one has something in it.
    if (readFileSync(file, 'utf8').trim() !== '') config.loadFromFile(file);
  } catch (error) {
    throw new UsageError(`the kubeconfig ${file} cannot be read: ${firstLine(error)}`);
  }
  return config;
}

/** The first file that has a name wins, as with kubectl; in client-node's own merge it is the last. */
function merge(configs: readonly KubeConfig[]): KubeConfig {
  const merged = new KubeConfig();
  merged.loadFromOptions({
    clusters: firstOfEachName(configs.flatMap(({ clusters }) => clusters ?? [])),
    users: firstOfEachName(configs.flatMap(({ users }) => users ?? [])),
    contexts: firstOfEachName(configs.flatMap(({ contexts }) => contexts ?? [])),
    currentContext: configs.map(({ currentContext }) => currentContext).find(Boolean),
  });
  return merged;
}

function firstOfEachName<T extends { readonly name: string }>(entries: readonly T[]): readonly T[] {
  return [...new Map([...entries].reverse().map((entry) => [entry.name, entry])).values()].reverse();
}

function chooseContext(config: KubeConfig, wanted: string | undefined, files: readonly string[]): void {
  const contexts = config.getContexts().map(({ name }) => name);
  const where = files.join(', ');
  if (contexts.length === 0) throw new UsageError(`there is no context in ${where}: is it a kubeconfig?`);
  const choice = `it has ${contexts.join(', ')}`;
  if (wanted !== undefined) {
    if (!contexts.includes(wanted)) {
      throw new UsageError(`there is no context "${wanted}" in ${where}; ${choice}`);
    }
    config.setCurrentContext(wanted);
  }
  const current = config.getCurrentContext();
  if (!current)
    throw new UsageError(`${where} names no current context; choose one with --context: ${choice}`);
  if (!contexts.includes(current)) {
    throw new UsageError(`the current context "${current}" is not in ${where}; ${choice}`);
  }
  if (!config.getCurrentCluster()?.server) {
    throw new UsageError(`the context "${current}" in ${where} has no cluster with a server`);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
