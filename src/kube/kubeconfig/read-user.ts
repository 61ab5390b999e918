import { accessSync, constants } from 'node:fs';
import { printable } from '../../printable.ts';
import { UsageError } from '../../usage-error.ts';
import { filled, record, records } from '../json.ts';
import type { Impersonated, Plugin, Source, User } from './connection.ts';
import type { Section } from './kubeconfig-section.ts';

export interface Setting {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The part of the context's cluster that is meant for plugins. */
  readonly clusterConfig: unknown;
}

/** Reads a user of a kubeconfig; only the files are not read yet. Throws UsageError where kubectl refuses too. */
export function readUser(section: Section, setting: Setting): User {
  const [username = '', password = ''] = [section.text('username'), section.text('password')];
  const basic = username || password ? { username, password } : undefined;
  const token = fileOf(section, 'tokenFile') ?? textOf(section.text('token'));
  if (basic && token) throw new UsageError(`${section.title} has both a token and a password`);
  const [exec, provider] = [section.section('exec'), section.section('auth-provider')];
  if (exec && provider) throw new UsageError(`${section.title} has both exec and auth-provider`);
  return {
    token,
    basic,
    certificate: readCertificate(section),
    plugin: exec && readPlugin(exec, setting),
    oidc: provider && readProvider(provider),
    impersonated: readImpersonated(section),
  };
}

/** A certificate or key: in the kubeconfig, or in a file, which must be readable. */
export function sourceOf(section: Section, name: string): Source | undefined {
  const [data, file] = [textOf(section.data(`${name}-data`)), fileOf(section, name)];
  if (data && file) throw new UsageError(`${section.title} has both ${name} and ${name}-data`);
  return data ?? file;
}

function textOf(text: string | undefined): Source | undefined {
  return text === undefined ? undefined : { kind: 'Text', text };
}

function fileOf(section: Section, name: string): Source | undefined {
  const path = section.path(name);
  if (path === undefined) return undefined;
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new UsageError(`${name} of ${section.title} cannot be read: ${printable(path)}`);
  }
  return { kind: 'File', path };
}

function readCertificate(section: Section): User['certificate'] {
  const [cert, key] = [sourceOf(section, 'client-certificate'), sourceOf(section, 'client-key')];
  if (cert && !key) throw new UsageError(`${section.title} has a client-certificate, but no client-key`);
  return cert && key && { cert, key };
}

function readImpersonated(section: Section): Impersonated | undefined {
  const user = section.text('as');
  const uid = section.text('as-uid');
  const groups = section.texts('as-groups');
  const extra = section.lists('as-user-extra');
  if (user !== undefined) return { user, uid, groups, extra };
  if (uid === undefined && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw new UsageError(`${section.title} has as-uid, as-groups or as-user-extra, but no as`);
}

function readPlugin(section: Section, { env, clusterConfig }: Setting): Plugin {
  const command = section.text('command');
  if (command === undefined) throw new UsageError(`${section.title} has no command`);
  const apiVersion = readPluginVersion(section, command);
  const own = section.sections('env').map((item) => [item.text('name') ?? '', item.text('value') ?? '']);
  return {
    command: command.includes('/') ? section.resolve(command) : command,
    args: section.texts('args'),
    env: { ...env, ...Object.fromEntries(own) },
    apiVersion,
    interactiveMode: readInteractiveMode(section, apiVersion),
    installHint: section.text('installHint'),
    provideClusterInfo: section.flag('provideClusterInfo'),
    clusterConfig,
  };
}

const pluginGroup = 'client.authentication.k8s.io';

function readPluginVersion(section: Section, command: string): string {
  const apiVersion = section.text('apiVersion') ?? '';
  if ([`${pluginGroup}/v1`, `${pluginGroup}/v1beta1`].includes(apiVersion)) return apiVersion;
  // https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.24.md
  if (apiVersion === `${pluginGroup}/v1alpha1`) {
    const update = `update ${printable(command)} and let it write the kubeconfig again, or set v1beta1 there`;
    throw new UsageError(
      `apiVersion of ${section.title} is ${apiVersion}, which Kubernetes 1.24 removed: ${update}`,
    );
  }
  throw section.problem('apiVersion', `${pluginGroup}/v1 or ${pluginGroup}/v1beta1`);
}

function readInteractiveMode(section: Section, apiVersion: string): Plugin['interactiveMode'] {
  const mode = section.text('interactiveMode') ?? (apiVersion.endsWith('/v1') ? undefined : 'IfAvailable');
  if (mode === 'Never' || mode === 'IfAvailable' || mode === 'Always') return mode;
  throw section.problem('interactiveMode', 'Never, IfAvailable or Always');
}

function readProvider(section: Section): User['oidc'] {
  const name = section.text('name') ?? '';
  if (name !== 'oidc') {
    throw new UsageError(
      `${section.title} is "${printable(name)}", which kubectl does not support either; use a credential plugin (exec)`,
    );
  }
  return record(section.anything('config'));
}

/** What a cluster's extensions hold for plugins. */
export function clusterConfigOf(cluster: Section): unknown {
  const extensions = records(cluster.anything('extensions'));
  return extensions.find(({ name }) => filled(name) === 'client.authentication.k8s.io/exec')?.['extension'];
}
