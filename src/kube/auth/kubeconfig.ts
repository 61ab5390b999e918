import { dirname, resolve } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import * as z from 'zod';
import { printable } from '../../util/text.ts';
import { UsageError, whyUnreadable } from '../../util/usage-error.ts';
import { readYaml } from '../../util/yaml.ts';
import { readBounded } from './files.ts';

/** Loaded only for a command that talks to a cluster: it takes longer than the rest of the start. */
export const loadClientNode = () => import('@kubernetes/client-node/dist/config.js');

// client-node accepts any type, and would send the number 5 as a token. As in kubectl, a field that is null is missing.
const string = z.string('a string');
const text = string.nullish();
const flag = z.boolean('true or false').nullish();
const isBase64 = (data: string) =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(data.replace(/[\r\n]/g, ''));
const base64 = string.refine(isBase64, 'base64').nullish();
const list = <Item extends z.ZodType>(item: Item) => z.array(item, 'a list').nullish();
const object = <Fields extends z.ZodRawShape>(fields: Fields) => z.looseObject(fields, 'an object').nullish();

const cluster = object({
  server: text,
  'certificate-authority': text,
  'certificate-authority-data': base64,
  'tls-server-name': text,
  'proxy-url': text,
  'insecure-skip-tls-verify': flag,
  extensions: list(object({ name: text })),
});

const exec = object({
  apiVersion: text,
  command: text,
  args: list(string),
  env: list(object({ name: text, value: text })),
  interactiveMode: text,
  installHint: text,
  provideClusterInfo: flag,
});

const user = object({
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  'client-certificate': text,
  'client-certificate-data': base64,
  'client-key': text,
  'client-key-data': base64,
  as: text,
  'as-groups': list(string),
  exec,
  'auth-provider': object({ name: text, config: object({}) }),
});

const kubeconfig = object({
  'current-context': text,
  contexts: list(object({ name: text, context: object({ cluster: text, user: text }) })),
  clusters: list(object({ name: text, cluster })),
  users: list(object({ name: text, user })),
});

type FieldsOf<Schema extends z.ZodType> = NonNullable<z.infer<Schema>>;
type ClusterFields = FieldsOf<typeof cluster>;
export type UserFields = FieldsOf<typeof user>;
export type ExecFields = FieldsOf<typeof exec>;

/** A cluster or user as its file has it. */
export interface Entry<Fields> {
  readonly title: string;
  readonly fields: Fields;
  readonly folder: string;
}

export interface Kubeconfig {
  readonly files: readonly string[];
  readonly merged: KubeConfig;
  /** These have the fields that client-node leaves out. */
  readonly clusters: ReadonlyMap<string, Entry<ClusterFields>>;
  readonly users: ReadonlyMap<string, Entry<UserFields>>;
}

export async function readKubeconfig(files: readonly string[]): Promise<Kubeconfig> {
  const { KubeConfig } = await loadClientNode();
  const merged = new KubeConfig();
  const clusters = new Map<string, Entry<ClusterFields>>();
  const users = new Map<string, Entry<UserFields>>();
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
    const add = <Fields>(to: Map<string, Entry<Fields>>, kind: string, name: string, fields: Fields) => {
      if (name === '' || to.has(name)) return;
      to.set(name, { title: `the ${kind} "${printable(name)}" in ${file}`, fields, folder });
    };
    for (const one of fields.clusters ?? []) add(clusters, 'cluster', one?.name ?? '', one?.cluster ?? {});
    for (const one of fields.users ?? []) add(users, 'user', one?.name ?? '', one?.user ?? {});
  }
  return { files, merged, clusters, users };
}

/** An empty file is allowed, as in kubectl; a message never quotes the YAML, which may be a token. */
async function readFields(file: string): Promise<FieldsOf<typeof kubeconfig>> {
  const unreadable = (why: string) => new UsageError(`the kubeconfig ${file} cannot be read: ${why}`);
  const contents = await readBounded(file).catch((error) => {
    throw unreadable(whyUnreadable(error));
  });
  const read = readYaml(contents);
  if (read.kind === 'Wrong')
    throw unreadable(
      `line ${read.problems[0]?.line} is not valid YAML, repeats a field, or begins a second document`,
    );
  const { success, data, error } = kubeconfig.safeParse(read.value, { jitless: true });
  if (success) return data ?? {};
  const { path = [], message = '' } = error.issues[0] ?? {};
  throw unreadable(`${printable(path.join('.')) || 'it'} is not ${message}`);
}
