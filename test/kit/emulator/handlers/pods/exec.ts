import { ExecError, type RunningContainer } from '../../world/runtime/runtime.ts';
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

/** exec: a process in a running container, over WebSocket (v5, v4). */
export function exec(call: Call): Answer {
  const { upgrade, query } = call.request;
  if (!upgrade) throw badRequest('Upgrade request required');
  requireCreate(call);
  const location = locateContainer(call);
  const options = {
    command: query.getAll('command'),
    stdout: isTrue(query.get('stdout')),
    stderr: isTrue(query.get('stderr')),
  };
  const protocol = ['v5.channel.k8s.io', 'v4.channel.k8s.io'].find((each) => upgrade.includes(each));
  if (protocol === undefined) {
    return { kind: 'Body', status: 403, headers: { connection: 'close' }, body: '' };
  }
  if (!location.reachable) {
    if (protocol === 'v4.channel.k8s.io') throw dialingFailed(location.kubeletAddress);
    // The upgrade succeeds because the API server upgrades before it calls the kubelet.
    return overChannels(protocol, options, async () => kubeletRefuses(location, options));
  }
  const running = call.backend.kubelet.running(location.pod.metadata.uid, location.container);
  // The kubelet makes its checks before the upgrade, and answers in plain text.
  if (!running) return text(500, `container not found ("${location.container}")`);
  if (!options.stdout && !options.stderr) {
    return text(400, 'you must specify at least 1 of stdin, stdout, stderr\n');
  }
  const speaker = protocol === 'v5.channel.k8s.io' ? 'ApiServer' : 'Kubelet';
  return overChannels(protocol, options, (channels) => runIn(running, options, speaker, channels));
}

/** Each frame begins with its channel. The last one has the status with which `run` ends. */
const channel = { stdout: 1, stderr: 2, status: 3 } as const;

function overChannels(
  protocol: string,
  { stdout, stderr }: ExecOptions,
  run: (channels: Channels) => Promise<string>,
): Answer {
  const lowest = stdout ? channel.stdout : stderr ? channel.stderr : channel.status;
  return {
    kind: 'Channels',
    protocol,
    serve(channels) {
      // An empty frame on the lowest writable channel tells the client that it is connected.
      channels.send(lowest, new Uint8Array());
      void run(channels).then((status) => {
        channels.send(channel.status, Buffer.from(status));
        channels.close();
      });
    },
  };
}

/**
 * The component that writes the final status of an exec. With v5 the API server speaks WebSocket itself and
 * rewords the kubelet's status; with v4 it passes the kubelet's status through.
 */
type Speaker = 'ApiServer' | 'Kubelet';

async function runIn(
  container: RunningContainer,
  { command, stdout, stderr }: ExecOptions,
  speaker: Speaker,
  channels: Channels,
): Promise<string> {
  try {
    const exitCode = await container.exec(command, {
      onStdout: (chunk) => stdout && channels.send(channel.stdout, chunk),
      onStderr: (chunk) => stderr && channels.send(channel.stderr, chunk),
    });
    return exitStatus(exitCode, command, speaker);
  } catch (error) {
    if (!(error instanceof ExecError)) throw error;
    // A program that cannot be started is an internal error, not an exit code. The API server wraps it twice.
    const message = `Internal error occurred: ${error.message}`;
    return speaker === 'ApiServer'
      ? internalError(`Internal error occurred: ${message}`, message)
      : internalError(message, error.message);
  }
}

function kubeletRefuses({ pod, container, kubeletAddress }: Location, options: ExecOptions): string {
  const query = new URLSearchParams(options.command.map((word) => ['command', word]));
  if (options.stderr) query.append('error', '1');
  if (options.stdout) query.append('output', '1');
  const { namespace, name } = pod.metadata;
  const url = `https://${kubeletAddress}/exec/${namespace}/${name}/${container}?${query}`;
  const why = `error sending request: Post "${url}": dial tcp ${kubeletAddress}: connect: connection refused`;
  return internalError(`Internal error occurred: ${why}`, why);
}

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
