import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { openCluster } from '../../../src/kube/cluster.ts';
import { UsageError } from '../../../src/util/usage-error.ts';
import { createPair } from '../../kit/certificates.ts';
import { describeUnless, missingPrograms } from '../../kit/needs.ts';
import { type Received, Recorder } from '../../kit/recorder.ts';
import { fileIn, startedOnce, temporaryFolder } from '../../kit/started.ts';
import { type Case, cases, filesOf, type Surrounding, secret } from './connection-cases.ts';

interface Start {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** What only kubectl needs to be told. */
  readonly kubectl?: readonly string[] | undefined;
}

/** What came of it: requests, or an error before any. */
type Result =
  | { readonly kind: 'Sent'; readonly received: readonly Received[] }
  | { readonly kind: 'Refused'; readonly message: string };

const node = '/api/v1/nodes/worker';

async function kubectl(
  { kubeconfig, context, insecure, env, kubectl: more = [] }: Start,
  recorder: Recorder,
): Promise<Result> {
  const argv = [
    ...['get', '--raw', node, ...more],
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
    ...(insecure ? ['--insecure-skip-tls-verify'] : []),
  ];
  const message = await new Promise<string>((resolve) => {
    const child = execFile('kubectl', argv, { env: { ...env } }, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
    child.stdin?.end();
  });
  return resultOf(recorder, message);
}

async function ours(start: Start, recorder: Recorder): Promise<Result> {
  return withOurs(start, recorder, async (cluster, abort) => {
    const reading = await cluster.readNode('worker', abort);
    return reading.kind === 'Unreadable' ? reading.problem.message : '';
  });
}

async function ourSocket(start: Start, recorder: Recorder): Promise<Result> {
  return withOurs(start, recorder, async (cluster, abort) => {
    const pod = { namespace: 'demo', name: 'work', uid: '1' };
    const result = await cluster.exec(pod, 'main', ['true'], abort);
    return 'message' in result ? result.message : result.kind;
  });
}

async function withOurs(
  { insecure, ...start }: Start,
  recorder: Recorder,
  use: (cluster: Awaited<ReturnType<typeof openCluster>>, abort: AbortSignal) => Promise<string>,
): Promise<Result> {
  try {
    const cluster = await openCluster(
      await loadConfig({ ...start, insecureSkipTlsVerify: insecure }),
      60_000,
    );
    const message = await use(cluster, new AbortController().signal);
    await cluster.close();
    return resultOf(recorder, message);
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'Refused', message: error.message };
    throw error;
  }
}

function resultOf(recorder: Recorder, message: string): Result {
  const received = recorder.take();
  return received.length === 0 ? { kind: 'Refused', message } : { kind: 'Sent', received };
}

const folder = temporaryFolder('connection');
const [server, client] = await Promise.all([createPair('api.example.test'), createPair('client')]);
const recorder = startedOnce(() => Recorder.start(server));
let around: Surrounding;

/** A plugin that writes down what it is told. */
const plugin = `#!/bin/sh
cd ${folder}
printf '%s' "$KUBERNETES_EXEC_INFO" > info
printf '%s|' "$TOLD" "$@" > arguments
version=$(printf '%s' "$KUBERNETES_EXEC_INFO" | sed 's/.*"apiVersion":"\\([^"]*\\)".*/\\1/')
case $1 in
  certificate) status=$(cat certificate-status) ;;
  half) status='{"token": "${secret}", "clientKeyData": "x"}' ;;
  version) version=client.authentication.k8s.io/v1beta1; status='{"token": "${secret}"}' ;;
  nothing) status='{}' ;;
  fail) echo "no" >&2; exit 3 ;;
  *) status='{"token": "${secret}"}' ;;
esac
printf '{"kind": "ExecCredential", "apiVersion": "%s", "status": %s}' "$version" "$status"
`;

beforeAll(() => {
  const { https, http, proxy } = recorder.ports;
  around = {
    folder,
    https: `https://127.0.0.1:${https}`,
    http: `http://127.0.0.1:${http}`,
    proxy: `http://127.0.0.1:${proxy}`,
    ca: server.cert,
    client,
  };
  const status = { clientCertificateData: client.cert, clientKeyData: client.key };
  const contents = {
    token: `${secret}\n`,
    'ca.crt': server.cert,
    'client.crt': client.cert,
    'client.key': client.key,
    'certificate-status': JSON.stringify(status),
    plugin,
    'plugin-in-path': plugin,
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  for (const name of ['plugin', 'plugin-in-path']) chmodSync(join(folder, name), 0o755);
  mkdirSync(join(folder, 'home'));
});
beforeEach(() => {
  for (const name of ['info', 'arguments']) rmSync(join(folder, name), { force: true });
});

function startOf(each: Case): Start {
  const files = filesOf(each, around).map((content, index) =>
    fileIn(folder, `config-${index}`, JSON.stringify(content)),
  );
  const env = { PATH: `${folder}${delimiter}${process.env['PATH']}`, HOME: join(folder, 'home') };
  return {
    context: each.context,
    insecure: each.insecure,
    kubectl: each.anonymous && ['--token', 'somebody'],
    env: { ...env, KUBECONFIG: files.join(delimiter), ...each.env?.(around) },
  };
}

function heard(result: Result, { anonymous }: Case) {
  const sent = result.kind === 'Sent' ? result.received : [];
  const [info, words] = ['info', 'arguments'].map((name) => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  });
  return {
    sent: sent.map((received) => (anonymous ? { ...received, headers: [] } : received)),
    told: info === undefined ? undefined : JSON.parse(info),
    words,
  };
}

describeUnless(missingPrograms('kubectl'), 'kubectl and this program come to the same by', () => {
  it.each(cases)('$title', async (each) => {
    const start = startOf(each);
    const theirs = heard(await kubectl(start, recorder), each);
    expect(theirs.sent).toHaveLength(each.refused ? 0 : 1);
    const own = await ours(start, recorder);
    expect(heard(own, each)).toEqual(theirs);
    expect(heard(await ourSocket(start, recorder), each).sent).toEqual(theirs.sent);
    if (own.kind === 'Refused') expect(own.message).not.toContain(secret);
  });
});
