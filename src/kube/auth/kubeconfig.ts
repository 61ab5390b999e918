import { dirname, resolve } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { printable } from '../../util/text.ts';
import { UsageError, whyUnreadable } from '../../util/usage-error.ts';
import { readYaml } from '../../util/yaml.ts';
import { isRecord, type Json, record, records, text } from '../json.ts';
import { readBounded } from './files.ts';

/** Loaded only for a command that talks to a cluster: it takes longer than the rest of the start. */
export const loadClientNode = () => import('@kubernetes/client-node/dist/config.js');

/** A cluster or user as its file has it. */
export interface Entry {
  /** What messages call it. */
  readonly title: string;
  readonly fields: Json;
  /** Relative paths start here. */
  readonly folder: string;
}

/** Kubeconfig files as one. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly merged: KubeConfig;
  /** Has the fields that client-node leaves out. */
  entry(kind: 'cluster' | 'user', name: string): Entry | undefined;
}

/** Reads kubeconfig files, and merges them as kubectl does. Throws UsageError. */
export async function readKubeconfig(files: readonly string[]): Promise<Kubeconfig> {
  const { KubeConfig } = await loadClientNode();
  const merged = new KubeConfig();
  const entries = new Map<string, Entry>();
  for (const file of files) {
    const fields = await readFields(file);
    const folder = dirname(resolve(file));
    const one = new KubeConfig();
    // client-node would read a file named by `token-file`, a field that kubectl does not know, and wait for it.
    const known = (name: string, value: unknown) => (name === 'token-file' ? undefined : value);
    one.loadFromString(JSON.stringify(fields, known), { onInvalidEntry: 'filter' });
    one.makePathsAbsolute(folder);
    // To kubectl, the first file with a name counts; client-node refuses the second one.
    one.clusters = one.clusters.filter(({ name }) => !merged.getCluster(name));
    one.users = one.users.filter(({ name }) => !merged.getUser(name));
    one.contexts = one.contexts.filter(({ name }) => !merged.getContextObject(name));
    try {
      merged.mergeConfig(one, Boolean(merged.currentContext));
    } catch (error) {
      const why = error instanceof Error ? printable(error.message) : 'unknown error';
      throw new UsageError(`the kubeconfig ${file} cannot be used: ${why}`);
    }
    for (const kind of ['cluster', 'user'] as const) {
      for (const { name, [kind]: own } of records(fields[`${kind}s`])) {
        const key = `${kind} ${text(name)}`;
        const title = titleOf(kind, name, file);
        if (!entries.has(key)) entries.set(key, { title, fields: record(own), folder });
      }
    }
  }
  return { files, merged, entry: (kind, name) => entries.get(`${kind} ${name}`) };
}

function titleOf(kind: string, name: unknown, file: string): string {
  return `the ${kind} "${printable(text(name) ?? '')}" in ${file}`;
}

/** An empty file is allowed, as in kubectl. A message never quotes the YAML, because it may be a token. */
async function readFields(file: string): Promise<Json> {
  const unreadable = (why: string) => new UsageError(`the kubeconfig ${file} cannot be read: ${why}`);
  const contents = await readBounded(file).catch((error) => {
    throw unreadable(whyUnreadable(error));
  });
  const read = readYaml(contents);
  if (read.kind === 'Wrong') throw unreadable(`line ${read.problems[0]?.line} is not valid YAML`);
  const fields = read.value ?? {};
  if (!isRecord(fields)) throw unreadable('it is not a kubeconfig');
  check(fields, 'file', file);
  for (const kind of ['cluster', 'user', 'context'] as const) {
    for (const [index, item] of records(fields[`${kind}s`]).entries()) {
      check(item, 'item', `${kind}s[${index}] of ${file}`);
      check(record(item[kind]), kind, titleOf(kind, item['name'], file));
    }
  }
  return fields;
}

const types = {
  'a string': isText,
  base64: (value: unknown) =>
    isText(value) && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(unbroken(value)),
  'true or false': (value: unknown) => typeof value === 'boolean',
  'an object': isRecord,
  'a list of strings': isTexts,
  'a list of objects': (value: unknown) => Array.isArray(value) && value.every(isRecord),
  'an object with lists of strings': (value: unknown) =>
    isRecord(value) && Object.values(value).every(isTexts),
} as const;

type Type = keyof typeof types;

/** The types of the fields that are used: client-node takes any, and would send the token 5. */
const shapes: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  file: { 'current-context': 'a string', ...all('a list of objects', 'clusters', 'users', 'contexts') },
  item: { name: 'a string', ...all('an object', 'cluster', 'user', 'context') },
  context: all('a string', 'cluster', 'user'),
  cluster: {
    ...all('a string', 'server', 'certificate-authority', 'tls-server-name', 'proxy-url'),
    'certificate-authority-data': 'base64',
    'insecure-skip-tls-verify': 'true or false',
  },
  user: {
    ...all('a string', 'token', 'tokenFile', 'username', 'password', 'client-certificate', 'client-key'),
    ...all('a string', 'as', 'as-uid'),
    ...all('base64', 'client-certificate-data', 'client-key-data'),
    'as-groups': 'a list of strings',
    'as-user-extra': 'an object with lists of strings',
    ...all('an object', 'exec', 'auth-provider'),
  },
  exec: {
    ...all('a string', 'apiVersion', 'command', 'interactiveMode', 'installHint'),
    args: 'a list of strings',
    env: 'a list of objects',
    provideClusterInfo: 'true or false',
  },
  env: all('a string', 'name', 'value'),
  'auth-provider': { name: 'a string', config: 'an object' },
};

function all(type: Type, ...names: readonly string[]): Readonly<Record<string, Type>> {
  return Object.fromEntries(names.map((name) => [name, type]));
}

/** As in kubectl, a field that is null is missing. Throws a UsageError that names the field, and never its value. */
function check(fields: Json, shape: string, title: string): void {
  for (const [name, type] of Object.entries(shapes[shape] ?? {})) {
    const value = fields[name] ?? undefined;
    if (value === undefined) continue;
    if (!types[type](value)) throw new UsageError(`${name} of ${title} is not ${type}`);
    const nested = ['exec', 'auth-provider', 'env'].includes(name) ? [value].flat() : [];
    for (const item of records(nested)) check(item, name, `${name} of ${title}`);
  }
}

function unbroken(data: string): string {
  return data.replace(/[\r\n]/g, '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
