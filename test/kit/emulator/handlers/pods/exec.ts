import { ExecError, type ExecProcess, type RunningContainer } from '../../world/runtime.ts';
import { type Answer, text } from '../answer.ts';
import type { Call } from '../call.ts';
import { isTrue } from '../request-info.ts';
import { badRequest } from '../status.ts';
import { serveExecOverChannels } from './exec-channels.ts';
import { serveExecOverSpdy } from './exec-spdy.ts';
import { exitStatus, requestFailure, type Speaker, startFailure } from './exec-status.ts';
import { dialingFailed, type Location, locateContainer } from './location.ts';
import { requireCreate } from './streaming-access.ts';

/** The parameters of an exec request. */
export interface ExecOptions {
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The streams of an exec, independent of the protocol that carries them. */
export interface ExecStreams {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** Sends the final status, then closes the connection. */
  finish(status: string): void;
  /** Bytes for the process; undefined at the end of stdin. */
  onStdin(listener: (chunk: Buffer | undefined) => void): void;
}

export type RunExec = (streams: ExecStreams) => Promise<void>;

/** exec: a process in a running container, over WebSocket (v5, v4) or SPDY. */
export function exec(call: Call): Answer {
  const { upgrade } = call.request;
  if (!upgrade) throw badRequest('Upgrade request required');
  requireCreate(call);
  const location = locateContainer(call);
  const options = readExecOptions(call.request.query);
  if (upgrade.to === 'spdy/3.1') {
    if (!location.reachable) throw dialingFailed(location.kubeletAddress);
    return viaKubelet(call, location, options, (run) =>
      serveExecOverSpdy(upgrade.protocols, options, run('Kubelet')),
    );
  }
  const protocol = ['v5.channel.k8s.io', 'v4.channel.k8s.io'].find((each) =>
    upgrade.protocols.includes(each),
  );
  if (protocol === undefined) {
    return { kind: 'Body', status: 403, headers: { connection: 'close' }, body: '' };
  }
  if (!location.reachable) {
    if (protocol === 'v4.channel.k8s.io') throw dialingFailed(location.kubeletAddress);
    return serveExecOverChannels(protocol, options, kubeletRefuses(location, options));
  }
  const speaker = protocol === 'v5.channel.k8s.io' ? 'ApiServer' : 'Kubelet';
  return viaKubelet(call, location, options, (run) => serveExecOverChannels(protocol, options, run(speaker)));
}

function readExecOptions(query: URLSearchParams): ExecOptions {
  const tty = isTrue(query.get('tty'));
  return {
    command: query.getAll('command'),
    stdin: isTrue(query.get('stdin')),
    stdout: isTrue(query.get('stdout')),
    // A terminal has one stream for stdout and stderr.
    stderr: isTrue(query.get('stderr')) && !tty,
    tty,
  };
}

/** The kubelet makes its checks before the upgrade, and answers in plain text. */
function viaKubelet(
  { backend }: Call,
  { pod, container }: Location,
  options: ExecOptions,
  serve: (run: (speaker: Speaker) => RunExec) => Answer,
): Answer {
  const running = backend.kubelet.running(pod.metadata.uid, container);
  if (!running) return text(500, `container not found ("${container}")`);
  if (!options.stdin && !options.stdout && !options.stderr) {
    return text(400, 'you must specify at least 1 of stdin, stdout, stderr\n');
  }
  return serve((speaker) => (streams) => runInContainer(running, options, speaker, streams));
}

async function runInContainer(
  container: RunningContainer,
  options: ExecOptions,
  speaker: Speaker,
  streams: ExecStreams,
): Promise<void> {
  const { command, stdin, tty } = options;
  let process: ExecProcess | undefined;
  const early: (Buffer | undefined)[] = [];
  streams.onStdin((chunk) => {
    if (process) process.write(chunk);
    else early.push(chunk);
  });
  try {
    process = await container.exec(command, {
      stdin,
      tty,
      onStdout: (chunk) => options.stdout && streams.stdout(chunk),
      onStderr: (chunk) => (tty ? streams.stdout(chunk) : options.stderr && streams.stderr(chunk)),
    });
  } catch (error) {
    if (!(error instanceof ExecError)) throw error;
    streams.finish(startFailure(error.message, speaker));
    return;
  }
  for (const chunk of early) process.write(chunk);
  streams.finish(exitStatus(await process.exited, command, speaker));
}

/** The upgrade succeeds because the API server upgrades before it calls the kubelet. */
function kubeletRefuses({ pod, container, kubeletAddress }: Location, options: ExecOptions): RunExec {
  const query = new URLSearchParams();
  for (const word of options.command) query.append('command', word);
  if (options.stderr) query.append('error', '1');
  if (options.stdin) query.append('input', '1');
  if (options.stdout) query.append('output', '1');
  if (options.tty) query.append('tty', '1');
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
