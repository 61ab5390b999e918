import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ConfigOptions, loadConfig } from '../../../../src/kube/kubeconfig/config.ts';
import { UsageError } from '../../../../src/usage-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = 'c2VjcmV0LXRva2Vu';

interface Contents {
  readonly current?: string;
  readonly contexts?: readonly string[];
  readonly server?: string;
}

/** A kubeconfig whose contexts have a cluster and a user with the same name. */
function kubeconfig({ current = '', contexts = [], server = 'https://127.0.0.1:6443' }: Contents): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': current,
    contexts: contexts.map((name) => ({ name, context: { cluster: name, user: name } })),
    clusters: contexts.map((name) => ({ name, cluster: { server } })),
    users: contexts.map((name) => ({ name, user: { token: secret } })),
  });
}

let files = 0;
function write(text: string): string {
  const file = join(folder, `config-${++files}`);
  writeFileSync(file, text);
  return file;
}

function load(options: Partial<ConfigOptions>) {
  return loadConfig({ kubeconfig: undefined, context: undefined, env: { HOME: folder }, ...options });
}

/** The error of an unusable configuration: one line without secrets. */
function messageOf(options: Partial<ConfigOptions>): string {
  try {
    load(options);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    const message = error instanceof Error ? error.message : '';
    expect(message).not.toContain('\n');
    expect(message).not.toContain(secret);
    return message;
  }
  expect.fail('the configuration was accepted');
}

describe('the kubeconfig', () => {
  it('of the flag takes precedence over that of KUBECONFIG', () => {
    const flag = write(kubeconfig({ current: 'flag', contexts: ['flag'] }));
    const env = { KUBECONFIG: write(kubeconfig({ current: 'env', contexts: ['env'] })) };
    expect(load({ kubeconfig: flag, env }).context).toBe('flag');
    expect(load({ env }).context).toBe('env');
  });

  it('of the home directory is the default', () => {
    const home = join(folder, 'home');
    mkdirSync(join(home, '.kube'), { recursive: true });
    writeFileSync(join(home, '.kube', 'config'), kubeconfig({ current: 'home', contexts: ['home'] }));
    expect(load({ env: { HOME: home } }).context).toBe('home');
    expect(load({ env: { HOME: home, KUBECONFIG: '' } }).context).toBe('home');
  });

  it('has the server and user of its current context', () => {
    const config = load({ kubeconfig: write(kubeconfig({ current: 'b', contexts: ['a', 'b'] })) });
    expect(config.server).toBe('https://127.0.0.1:6443');
    expect(config.user.token).toEqual({ kind: 'Text', text: secret });
  });

  it('resolves relative paths from its own folder', () => {
    const config = {
      clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1', 'certificate-authority': 'ca.crt' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      users: [{ name: 'a', user: { token: secret } }],
      'current-context': 'a',
    };
    writeFileSync(join(folder, 'ca.crt'), 'a certificate');
    const loaded = load({ kubeconfig: write(JSON.stringify(config)) });
    expect(loaded.tls.ca).toEqual({ kind: 'File', path: join(folder, 'ca.crt') });
  });
});

describe('with several files in KUBECONFIG', () => {
  const first = write(kubeconfig({ contexts: ['shared', 'one'], server: 'https://first' }));
  const second = write(kubeconfig({ current: 'two', contexts: ['shared', 'two'], server: 'https://second' }));
  const third = write(kubeconfig({ current: 'three', contexts: ['three'], server: 'https://third' }));
  const env = { KUBECONFIG: [first, second, third].join(delimiter) };

  it('the first current context applies', () => {
    expect(load({ env }).context).toBe('two');
  });

  it('the contexts of all files are available', () => {
    for (const context of ['one', 'two', 'three']) {
      expect(load({ env, context }).context).toBe(context);
    }
  });

  it('the first definition of a name applies', () => {
    expect(load({ env, context: 'shared' }).server).toBe('https://first');
  });

  it.each(['', '\n \n'])('a file with %j is skipped, as in kubectl', (text) => {
    const listed = [write(text), third].join(delimiter);
    expect(load({ env: { KUBECONFIG: listed } }).context).toBe('three');
  });

  it('at least one file must have contents', () => {
    const listed = [write(''), write('')];
    expect(messageOf({ env: { KUBECONFIG: listed.join(delimiter) } })).toBe(
      `there is no context in ${listed.join(', ')}: is it a kubeconfig?`,
    );
  });

  it('missing files are skipped, as in kubectl', () => {
    const listed = [join(folder, 'nosuch'), '', third].join(delimiter);
    expect(load({ env: { KUBECONFIG: listed } }).context).toBe('three');
  });
});

describe('--context', () => {
  const file = write(kubeconfig({ current: 'a', contexts: ['a', 'b'] }));

  it('takes precedence over the current context', () => {
    expect(load({ kubeconfig: file, context: 'b' }).context).toBe('b');
  });

  it('replaces a missing current context', () => {
    const without = write(kubeconfig({ contexts: ['a', 'b'] }));
    expect(load({ kubeconfig: without, context: 'b' }).context).toBe('b');
  });

  it('with an unknown name is an error that lists the known ones', () => {
    expect(messageOf({ kubeconfig: file, context: 'c' })).toBe(
      `there is no context "c" in ${file}; it has a, b`,
    );
  });
});

describe('an unusable configuration gives a one-line error:', () => {
  it('a kubeconfig that does not exist', () => {
    const file = join(folder, 'nosuch');
    expect(messageOf({ kubeconfig: file })).toBe(`the kubeconfig ${file} does not exist`);
    expect(messageOf({ env: { KUBECONFIG: file } })).toBe(`KUBECONFIG names ${file}, which does not exist`);
  });

  it('no current context', () => {
    const file = write(kubeconfig({ contexts: ['a', 'b'] }));
    expect(messageOf({ kubeconfig: file })).toBe(
      `${file} has no current context; choose one with --context (it has: a, b)`,
    );
  });

  it('an unknown current context', () => {
    const file = write(kubeconfig({ current: 'x', contexts: ['a'] }));
    expect(messageOf({ kubeconfig: file })).toBe(`the current context "x" is not in ${file}; it has a`);
  });

  it('no contexts', () => {
    const file = write(kubeconfig({}));
    expect(messageOf({ kubeconfig: file })).toBe(`there is no context in ${file}: is it a kubeconfig?`);
    expect(messageOf({ kubeconfig: file, context: 'a' })).toBe(
      `there is no context in ${file}: is it a kubeconfig?`,
    );
  });

  it('a context with an unknown cluster', () => {
    const contexts = [{ name: 'a', context: { cluster: 'gone', user: 'a' } }];
    const file = write(JSON.stringify({ 'current-context': 'a', contexts, clusters: [], users: [] }));
    expect(messageOf({ kubeconfig: file })).toContain('has no cluster with a server');
  });

  it.each([
    ['an empty file', ''],
    ['blanks', '\n \n'],
    ['text', 'hello'],
    ['a list', '- a\n- b'],
    ['malformed YAML', `users:\n- name: a\n  user: {token: ${secret}\n clusters: [`],
    ['tabs', `users:\n\t- token: ${secret}`],
    ['an unknown tag', `!!js/function ${secret}`],
    ['a token that reads like an alias', `users:\n- name: a\n  user: {token: *${secret}}`],
    ['a token that reads like a block', `users:\n- name: a\n  user:\n    token: |${secret}`],
    ['a token where nothing may stand', `users:\n- name: a\n  user: |\n token: x\n  - ${secret}`],
    ['binary', '\u0000\u0001\u0002'],
    ['HTML', '<html>'],
  ])('%s', (_title, text) => {
    const file = write(text);
    expect(messageOf({ kubeconfig: file })).toContain(file);
  });

  it('a plugin that speaks a version which no client reads any more, with what to do', () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'aws' };
    const text = kubeconfig({ current: 'a', contexts: ['a'] }).replace(
      /"user":\{[^}]*\}/,
      `"user":${JSON.stringify({ exec })}`,
    );
    const file = write(text);
    expect(messageOf({ kubeconfig: file })).toBe(
      `apiVersion of exec of the user "a" in ${file} is client.authentication.k8s.io/v1alpha1, which Kubernetes 1.24 removed: ` +
        'update aws and let it write the kubeconfig again, or set v1beta1 there',
    );
  });

  it('a folder instead of a file', () => {
    expect(messageOf({ kubeconfig: folder })).toBe(
      `the kubeconfig ${folder} cannot be read: it is a directory; name a file in it`,
    );
  });

  it('no kubeconfig, outside a pod', () => {
    const nowhere = join(folder, 'nowhere');
    expect(messageOf({ env: { HOME: nowhere } })).toContain('--kubeconfig');
  });
});
