import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { UsageError } from '../../usage-error.ts';
import type { Connection } from './connection.ts';
import { inCluster } from './in-cluster.ts';
import { type Kubeconfig, mergeKubeconfigs, readKubeconfig } from './kubeconfig.ts';
import { readConnection } from './read-connection.ts';

interface KubeconfigOptions {
  readonly kubeconfig?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ConfigOptions extends KubeconfigOptions {
  readonly context?: string | undefined;
}

/**
 * Finds the cluster the way kubectl does: --kubeconfig, KUBECONFIG, ~/.kube/config and, in a pod, the service
 * account. Throws UsageError.
 */
export function loadConfig({ context, ...options }: ConfigOptions): Connection {
  const found = findKubeconfig(options);
  if (found) return connect(chooseContext(found, context), found, options);
  if (context === undefined) return inCluster(options.env, isInsecure(options));
  throw new UsageError('--context needs a kubeconfig, and none was found');
}

/** The names of all contexts; none without a kubeconfig. Throws UsageError. */
export function contextNames(options: KubeconfigOptions): readonly string[] {
  const found = findKubeconfig(options);
  return found ? allContexts(found) : [];
}

interface Found {
  readonly config: Kubeconfig;
  readonly files: readonly string[];
}

function findKubeconfig(options: KubeconfigOptions): Found | undefined {
  if (options.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && !isInsecure(options)) {
    throw new UsageError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 would accept any certificate: unset it, or say so with --insecure-skip-tls-verify',
    );
  }
  const files = configFiles(options);
  return files.length === 0 ? undefined : { files, config: mergeKubeconfigs(files.map(readKubeconfig)) };
}

function isInsecure({ insecureSkipTlsVerify = false }: KubeconfigOptions): boolean {
  return insecureSkipTlsVerify;
}

function connect(context: string, { config, files }: Found, options: KubeconfigOptions): Connection {
  const chosen = config.contexts.get(context);
  const cluster = config.clusters.get(chosen?.text('cluster') ?? '');
  if (!cluster?.text('server')) {
    throw new UsageError(`the context "${context}" in ${files.join(', ')} has no cluster with a server`);
  }
  const user = config.users.get(chosen?.text('user') ?? '');
  return readConnection({ context, cluster, user, env: options.env, insecure: isInsecure(options) });
}

function allContexts({ config, files }: Found): readonly string[] {
  const names = [...config.contexts.keys()];
  if (names.length === 0) throw noContext(files);
  const { currentContext } = config;
  return [
    ...names.filter((name) => name === currentContext),
    ...names.filter((name) => name !== currentContext),
  ];
}

function configFiles({ kubeconfig, env }: KubeconfigOptions): readonly string[] {
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

function noContext(files: readonly string[]): UsageError {
  return new UsageError(`there is no context in ${files.join(', ')}: is it a kubeconfig?`);
}

function chooseContext({ config, files }: Found, wanted: string | undefined): string {
  const contexts = [...config.contexts.keys()];
  const where = files.join(', ');
  if (contexts.length === 0) throw noContext(files);
  const choice = `it has ${contexts.join(', ')}`;
  if (wanted !== undefined && !contexts.includes(wanted)) {
    throw new UsageError(`there is no context "${wanted}" in ${where}; ${choice}`);
  }
  const context = wanted ?? config.currentContext;
  if (!context) {
    throw new UsageError(
      `${where} has no current context; choose one with --context (it has: ${contexts.join(', ')})`,
    );
  }
  if (!contexts.includes(context)) {
    throw new UsageError(`the current context "${context}" is not in ${where}; ${choice}`);
  }
  return context;
}
