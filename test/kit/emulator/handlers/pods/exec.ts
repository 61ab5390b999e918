import { ExecError, type ExecProcess, type RunningContainer } from '../../world/runtime/runtime.ts';
import { type Answer, type Channels, goJson, text } from '../answer.ts';
import type { Call } from '../call.ts';
import { isTrue } from '../resources.ts';
import { badRequest } from '../status.ts';
import { dialingFailed, type Location, locateContainer, requireCreate } from './location.ts';

interface ExecOptions {
  readonly command: readonly string[];
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** The streams of an exec, independent of the protocol that carries them. */
interface ExecStreams {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  finish(status: string): void;
}

type RunExec = (streams: ExecStreams) => Promise<void>;

/** exec: a process in a running container, over WebSocket (v5, v4). */
export function exec(call: Call): Answer {
  const { upgrade } = call.request;
  if (!upgrade) throw badRequest('Upgrade request required');
  requireCreate(call);
  const location = locateContainer(call);
  const options = readExecOptions(call.request.query);
  const protocol = ['v5.channel.k8s.io', 'v4.channel.k8s.io'].find((each) => upgrade.includes(each));
  if (protocol === undefined) {
    return { kind: 'Body', status: 403, headers: { connection: 'close' }, body: '' };
  }
  if (!location.reachable) {
    if (protocol === 'v4.channel.k8s.io') throw dialingFailed(location.kubeletAddress);
    return serveExecOverChannels(protocol, options, kubeletRefuses(location, options));
  }
  const running = call.backend.kubelet.running(location.pod.metadata.uid, location.container);
  // The kubelet makes its checks before the upgrade, and answers in plain text.
  if (!running) return text(500, `container not found ("${location.container}")`);
  if (!options.stdout && !options.stderr) {
    return text(400, 'you must specify at least 1 of stdin, stdout, stderr\n');
  }
  const speaker = protocol === 'v5.channel.k8s.io' ? 'ApiServer' : 'Kubelet';
  return serveExecOverChannels(protocol, options, (streams) =>
    runInContainer(running, options, speaker, streams),
  );
}

function readExecOptions(query: URLSearchParams): ExecOptions {
  return {
    command: query.getAll('command'),
    stdout: isTrue(query.get('stdout')),
    stderr: isTrue(query.get('stderr')),
  };
}

async function runInContainer(
  container: RunningContainer,
  options: ExecOptions,
  speaker: Speaker,
  streams: ExecStreams,
): Promise<void> {
  const { command } = options;
  let process: ExecProcess;
  try {
    process = await container.exec(command, {
      onStdout: (chunk) => options.stdout && streams.stdout(chunk),
      onStderr: (chunk) => options.stderr && streams.stderr(chunk),
    });
  } catch (error) {
    if (!(error instanceof ExecError)) throw error;
    streams.finish(startFailure(error.message, speaker));
    return;
  }
  streams.finish(exitStatus(await process.exited, command, speaker));
}

/** The upgrade succeeds because the API server upgrades before it calls the kubelet. */
function kubeletRefuses({ pod, container, kubeletAddress }: Location, options: ExecOptions): RunExec {
  const query = new URLSearchParams();
  for (const word of options.command) query.append('command', word);
  if (options.stderr) query.append('error', '1');
  if (options.stdout) query.append('output', '1');
  const { namespace, name } = pod.metadata;
  const url = `https://${kubeletAddress}/exec/${namespace}/${name}/${container}?${query}`;
  return async (streams) => {
    streams.finish(
      requestFailure(
        `error sending request: Post "${url}": dial tcp ${kubeletAddress}: connect: connection refused`,
      ),
    );
  };
}

const channel = { stdout: 1, stderr: 2, status: 3 } as const;

/** exec over WebSocket: each frame begins with its channel. */
function serveExecOverChannels(protocol: string, options: ExecOptions, run: RunExec): Answer {
  return {
    kind: 'Channels',
    protocol,
    serve(channels) {
      // An empty frame on the lowest writable channel tells the client that it is connected.
      channels.send(firstWritable(options), new Uint8Array());
      void run(streamsOver(channels));
    },
  };
}

function firstWritable({ stdout, stderr }: ExecOptions): number {
  if (stdout) return channel.stdout;
  return stderr ? channel.stderr : channel.status;
}

function streamsOver(channels: Channels): ExecStreams {
  return {
    stdout: (chunk) => channels.send(channel.stdout, chunk),
    stderr: (chunk) => channels.send(channel.stderr, chunk),
    finish(status) {
      channels.send(channel.status, Buffer.from(status));
      channels.close();
    },
  };
}

/**
 * The component that writes the final status of an exec. With v5 the API server speaks WebSocket itself and
 * rewords the kubelet's status; with v4 it passes the kubelet's status through.
 */
type Speaker = 'ApiServer' | 'Kubelet';

function exitStatus(exitCode: number, command: readonly string[], speaker: Speaker): string {
  if (exitCode === 0) return goJson({ metadata: {}, status: 'Success' });
  const detail =
    speaker === 'ApiServer'
      ? `command terminated with exit code ${exitCode}`
      : `error executing command [${command.join(' ')}], exit code ${exitCode}`;
  return goJson({
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${detail}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  });
}

/** A program that cannot be started is an internal error, not an exit code. The API server wraps it twice. */
function startFailure(why: string, speaker: Speaker): string {
  const message = `Internal error occurred: ${why}`;
  return speaker === 'ApiServer'
    ? internalError(`Internal error occurred: ${message}`, message)
    : internalError(message, why);
}

function requestFailure(why: string): string {
  return internalError(`Internal error occurred: ${why}`, why);
}

function internalError(message: string, cause: string): string {
  return goJson({
    metadata: {},
    status: 'Failure',
    message,
    reason: 'InternalError',
    details: { causes: [{ message: cause }] },
    code: 500,
  });
}
