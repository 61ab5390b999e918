import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { UsageError } from '../../usage-error.ts';
import type { Connection } from './connection.ts';
import { inCluster } from './in-cluster.ts';
import { type Kubeconfig, mergeKubeconfigs, readKubeconfig } from './kubeconfig.ts';
import { readConnection } from './read-connection.ts';

export interface ConfigOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the cluster the way kubectl does: --kubeconfig, KUBECONFIG, ~/.kube/config and, in a pod, the service
 * account. Throws UsageError.
 */
export function loadConfig(options: ConfigOptions): Connection {
  const { env, insecureSkipTlsVerify: insecure = false } = options;
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && !insecure) {
    throw new UsageError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 would accept any certificate: unset it, or say so with --insecure-skip-tls-verify',
    );
  }
  const files = configFiles(options);
  if (files.length === 0) {
    if (options.context === undefined) return inCluster(env, insecure);
    throw new UsageError('--context needs a kubeconfig, and none was found');
  }
  const config = mergeKubeconfigs(files.map(readKubeconfig));
  const context = chooseContext(config, options.context, files);
  const chosen = config.contexts.get(context);
  const cluster = config.clusters.get(chosen?.text('cluster') ?? '');
  if (!cluster?.text('server')) {
    throw new UsageError(`the context "${context}" in ${files.join(', ')} has no cluster with a server`);
  }
  return readConnection({
    context,
    cluster,
    user: config.users.get(chosen?.text('user') ?? ''),
    env,
    insecure,
  });
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

function chooseContext(config: Kubeconfig, wanted: string | undefined, files: readonly string[]): string {
  const contexts = [...config.contexts.keys()];
  const where = files.join(', ');
  if (contexts.length === 0) throw new UsageError(`there is no context in ${where}: is it a kubeconfig?`);
  const choice = `it has ${contexts.join(', ')}`;
  if (wanted !== undefined && !contexts.includes(wanted)) {
    throw new UsageError(`there is no context "${wanted}" in ${where}; ${choice}`);
  }
  const context = wanted ?? config.currentContext;
  if (!context) {
    throw new UsageError(`${where} names no current context; choose one with --context: ${choice}`);
  }
  if (!contexts.includes(context)) {
    throw new UsageError(`the current context "${context}" is not in ${where}; ${choice}`);
  }
  return context;
}
