import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ConfigOptions, contextNames, inCluster, loadConfig } from '../../../../src/kube/auth/config.ts';
import { UsageError } from '../../../../src/util/usage-error.ts';
import { fileIn, temporaryFolder } from '../../../kit/started.ts';

const folder = temporaryFolder('kubeconfig');

const secret = 'c2VjcmV0LXRva2Vu';

interface Contents {
  readonly current?: string;
  readonly contexts?: readonly string[];
  readonly server?: string;
  readonly user?: object;
  readonly cluster?: object;
}

function kubeconfig({
  current = '',
  contexts = [],
  server = 'https://127.0.0.1:6443',
  user = { token: secret },
  cluster = {},
}: Contents): string {
  return JSON.stringify({
    'current-context': current,
    contexts: contexts.map((name) => ({ name, context: { cluster: name, user: name } })),
    clusters: contexts.map((name) => ({ name, cluster: { server, ...cluster } })),
    users: contexts.map((name) => ({ name, user })),
  });
}

let files = 0;
const write = (text: string) => fileIn(folder, `config-${++files}`, text);

function load(options: Partial<ConfigOptions>) {
  return loadConfig({ env: { HOME: folder }, ...options });
}

async function messageOf(options: Partial<ConfigOptions>): Promise<string> {
  const error: unknown = await load(options).then(
    () => expect.fail('the configuration was accepted'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(UsageError);
  const message = error instanceof Error ? error.message : '';
  expect(message).not.toContain('\n');
  expect(message).not.toContain(secret);
  return message;
}

describe('the kubeconfig is', () => {
  it('that of the flag, that of KUBECONFIG, or that of the home directory', async () => {
    const home = join(folder, 'home');
    mkdirSync(join(home, '.kube'), { recursive: true });
    writeFileSync(join(home, '.kube', 'config'), kubeconfig({ current: 'home', contexts: ['home'] }));
    const flag = write(kubeconfig({ current: 'flag', contexts: ['flag'] }));
    const env = { HOME: home, KUBECONFIG: write(kubeconfig({ current: 'env', contexts: ['env'] })) };
    expect((await load({ kubeconfig: flag, env })).context).toBe('flag');
    expect((await load({ env })).context).toBe('env');
    expect((await load({ env: { HOME: home, KUBECONFIG: '' } })).context).toBe('home');
  });

  it('read through a pipe until its writer closes it', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const loading = load({ kubeconfig: pipe });
    execFile('sh', ['-c', `(printf '%s' '${kubeconfig({ current: 'a', contexts: ['a'] })}') > ${pipe}`]);
    expect((await loading).context).toBe('a');
  });

  it('the base of relative paths', async () => {
    const ca = { 'certificate-authority': 'ca.crt' };
    const file = write(
      kubeconfig({ current: 'a', contexts: ['a'], user: { tokenFile: 'ca.crt' }, cluster: ca }),
    );
    writeFileSync(join(folder, 'ca.crt'), 'a certificate');
    const path = { kind: 'File', path: join(folder, 'ca.crt') };
    expect(await load({ kubeconfig: file })).toMatchObject({ tls: { ca: path }, user: { token: path } });
  });

  it('complete only with its merge keys, as in kubectl', async () => {
    const text = kubeconfig({ current: 'a', contexts: ['a'] });
    const file = write(text.replace('{"token"', '{<<: {as: jane}, "token"'));
    expect((await load({ kubeconfig: file })).user).toMatchObject({ impersonated: { user: 'jane' } });
  });
});

describe('with several files in KUBECONFIG', () => {
  const first = write(kubeconfig({ contexts: ['shared', 'one'], server: 'https://first' }));
  const second = write(kubeconfig({ current: 'two', contexts: ['shared', 'two'], server: 'https://second' }));
  const third = write(kubeconfig({ current: 'three', contexts: ['three'], server: 'https://third' }));
  const env = { KUBECONFIG: [first, second, third].join(delimiter) };

  it.each<readonly [what: string, options: Partial<ConfigOptions>, context: string, server: string]>([
    ['the first current context applies', { env }, 'two', 'https://second'],
    ['a context of any file can be chosen', { env, context: 'three' }, 'three', 'https://third'],
    ['the first definition of a name applies', { env, context: 'shared' }, 'shared', 'https://first'],
  ])('%s', async (_what, options, context, server) => {
    expect(await load(options)).toMatchObject({ context, server, user: { token: { text: secret } } });
  });

  it('the names of all contexts are known', async () => {
    expect(await contextNames({ env })).toEqual(['shared', 'one', 'two', 'three']);
    expect(await contextNames({ env: { HOME: folder } })).toEqual([]);
  });

  it.each([
    ['an empty one', write('')],
    ['a blank one', write('\n \n')],
    ['a missing one', join(folder, 'nosuch')],
  ])('%s is skipped, as in kubectl', async (_what, file) => {
    const listed = [file, '', third].join(delimiter);
    expect((await load({ env: { KUBECONFIG: listed } })).context).toBe('three');
  });
});

const root = join(folder, 'pod');
const account = join(root, 'var/run/secrets/kubernetes.io/serviceaccount');
mkdirSync(account, { recursive: true });
for (const name of ['token', 'ca.crt', 'namespace']) writeFileSync(join(account, name), name);

it.each([
  ['10.0.0.1', '443', 'https://10.0.0.1:443'],
  ['fd00::1', '443', 'https://[fd00::1]:443'],
  // https://github.com/kubernetes/client-go/blob/master/rest/config.go, InClusterConfig
  ['10.0.0.1', '8080', 'https://10.0.0.1:8080'],
  ['10.0.0.1', undefined, 'https://10.0.0.1:443'],
])('in a pod the service account speaks to %s, port %s', async (host, port, server) => {
  const env = { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port };
  expect(await inCluster(env, false, root)).toMatchObject({
    server,
    tls: { ca: { kind: 'File', path: join(account, 'ca.crt') }, insecure: false },
    user: { token: { kind: 'File', path: join(account, 'token') } },
  });
});

describe('an unusable configuration gives a one-line error:', () => {
  const one = write(kubeconfig({ current: 'a', contexts: ['a', 'b'] }));
  const none = write(kubeconfig({ contexts: ['a', 'b'] }));
  const stale = write(kubeconfig({ current: 'x', contexts: ['a'] }));
  const empty = write(kubeconfig({}));
  const missing = join(folder, 'nosuch');
  const inEnv = { env: { KUBECONFIG: missing } };
  const notIn = (file: string) => `is not in ${file}, or has no cluster`;
  const exec = { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'aws' };
  const old = write(kubeconfig({ current: 'a', contexts: ['a'], user: { exec } }));
  const noCluster = 'no cluster to talk to: there is no ~/.kube/config and';
  const nameOne = 'name a kubeconfig with --kubeconfig or KUBECONFIG';
  const huge = write(`#${'x'.repeat(16 * 1024 * 1024)}`);

  // biome-ignore format: one row a line
  it.each<readonly [what: string, options: Partial<ConfigOptions>, message: string]>([
    ['a flag that names nothing', { kubeconfig: missing }, `the kubeconfig ${missing} does not exist`],
    ['KUBECONFIG that names nothing', inEnv, `no file that KUBECONFIG names exists: ${missing}`],
    ['no current context', { kubeconfig: none }, `${none} has no current context; choose one with --context (it has a, b)`],
    ['an unknown current context', { kubeconfig: stale }, `the current context "x" ${notIn(stale)}; it has a`],
    ['an unknown context', { kubeconfig: one, context: 'c' }, `the context "c" ${notIn(one)}; it has a, b`],
    ['no contexts', { kubeconfig: empty }, `there is no context in ${empty}: is it a kubeconfig?`],
    ['a folder', { kubeconfig: folder }, `the kubeconfig ${folder} cannot be read: it is a directory; name a file in it`],
    ['a huge file', { kubeconfig: huge }, `the kubeconfig ${huge} cannot be read: it has more than 16 MiB`],
    [
      'a plugin of a version that no client reads any more',
      { kubeconfig: old },
      `apiVersion of exec of the user "a" in ${old} is not client.authentication.k8s.io/v1 or ` +
        'client.authentication.k8s.io/v1beta1: update aws and let it write the kubeconfig again',
    ],
    ['no kubeconfig, outside a pod', { env: { HOME: missing } }, `${noCluster} this is not a pod; ${nameOne}`],
    ['no kubeconfig, in a pod without a token', { env: { HOME: missing, KUBERNETES_SERVICE_HOST: '10.0.0.1' } }, `${noCluster} this pod has no token (automountServiceAccountToken); ${nameOne}`],
  ])('%s', async (_what, options, message) => {
    expect(await messageOf(options)).toBe(message);
  });
});
