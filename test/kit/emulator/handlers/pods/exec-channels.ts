import type { Answer, Channels } from '../answer.ts';
import type { ExecOptions, ExecStreams, RunExec } from './exec.ts';

const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;

/** exec over WebSocket: each frame begins with its channel. */
export function serveExecOverChannels(protocol: string, options: ExecOptions, run: RunExec): Answer {
  return {
    kind: 'Channels',
    protocol,
    serve(channels) {
      // An empty frame on the lowest writable channel tells the client that it is connected.
      channels.send(firstWritable(options), new Uint8Array());
      void run(streamsOver(channels, options));
    },
  };
}

function firstWritable({ stdout, stderr }: ExecOptions): number {
  if (stdout) return channel.stdout;
  return stderr ? channel.stderr : channel.status;
}

function streamsOver(channels: Channels, options: ExecOptions): ExecStreams {
  return {
    stdout: (chunk) => channels.send(channel.stdout, chunk),
    stderr: (chunk) => channels.send(channel.stderr, chunk),
    finish(status) {
      channels.send(channel.status, Buffer.from(status));
      channels.close();
    },
    onStdin(listener) {
      if (!options.stdin) return;
      channels.onFrame((number, data) => {
        if (number === channel.stdin) listener(data);
        // v5: the client announces which of its channels it has closed.
        if (number === channel.close && data[0] === channel.stdin) listener(undefined);
      });
      channels.onClose(() => listener(undefined));
    },
  };
}
