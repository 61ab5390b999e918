import { execFile } from 'node:child_process';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { openCluster } from '../../../src/kube/cluster.ts';
import { UsageError } from '../../../src/util/usage-error.ts';
import type { Received, Recorder } from '../../kit/recorder.ts';

/** How a client is started. */
export interface Start {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** What only kubectl needs to be told. */
  readonly kubectl?: readonly string[] | undefined;
}

/** What came of it: requests, or an error before any. */
export type Result =
  | { readonly kind: 'Sent'; readonly received: readonly Received[] }
  | { readonly kind: 'Refused'; readonly message: string };

const node = '/api/v1/nodes/worker';

/** kubectl reads a node. */
export async function kubectl(
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

/** This program reads the same node. */
export async function ours(start: Start, recorder: Recorder): Promise<Result> {
  return withOurs(start, recorder, async (cluster, abort) => {
    const reading = await cluster.readNode('worker', abort);
    return reading.kind === 'Unreadable' ? reading.problem.message : '';
  });
}

/** This program opens a WebSocket. */
export async function ourSocket(start: Start, recorder: Recorder): Promise<Result> {
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
