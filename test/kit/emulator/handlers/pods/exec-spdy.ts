import { SpdyConnection, type SpdyStream } from '../../spdy/connection.ts';
import type { Answer } from '../answer.ts';
import { badRequest } from '../status.ts';
import type { ExecOptions, RunExec } from './exec.ts';

/** exec over SPDY/3.1: the client opens one stream for each of error, stdin, stdout and stderr. */
export function serveExecOverSpdy(protocols: readonly string[], options: ExecOptions, run: RunExec): Answer {
  const protocol = ['v5.channel.k8s.io', 'v4.channel.k8s.io'].find((each) => protocols.includes(each));
  if (protocol === undefined) throw badRequest(`unable to upgrade: protocols [${protocols.join(' ')}]`);
  return {
    kind: 'Bytes',
    protocol,
    serve(socket) {
      const expected = streamTypes(options);
      const streams = new Map<string, SpdyStream>();
      const connection = new SpdyConnection(socket, (stream) => {
        streams.set(stream.headers['streamtype'] ?? '', stream);
        if (expected.every((type) => streams.has(type))) void start();
      });
      const start = () =>
        run({
          stdout: (chunk) => streams.get('stdout')?.write(chunk),
          stderr: (chunk) => streams.get('stderr')?.write(chunk),
          finish(status) {
            streams.get('error')?.end(status);
            streams.get('stdout')?.end();
            streams.get('stderr')?.end();
            void connection.close();
          },
          onStdin(listener) {
            const stdin = streams.get('stdin');
            stdin?.on('data', listener);
            stdin?.once('end', () => listener(undefined));
          },
        });
    },
  };
}

function streamTypes({ stdin, stdout, stderr }: ExecOptions): string[] {
  return ['error', stdin && 'stdin', stdout && 'stdout', stderr && 'stderr'].filter(
    (type): type is string => type !== false,
  );
}
