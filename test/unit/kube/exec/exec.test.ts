import { describe, expect, it } from 'vitest';
import { exec } from '../../../../src/kube/exec/exec.ts';
import type { ExecResult } from '../../../../src/model/ports.ts';
import { frame, type SocketServer, socketServer } from '../../../builders/socket-server.ts';

let server: SocketServer | undefined;

const success = frame(3, JSON.stringify({ metadata: {}, status: 'Success' }));

async function execAfter(...messages: readonly (Buffer | string)[]): Promise<ExecResult> {
  server = await socketServer({
    accept(socket) {
      for (const message of messages) socket.send(message);
      socket.close(1000);
    },
  });
  const pod = { namespace: 'demo', name: 'work', uid: 'uid-1' };
  const { signal: abort } = new AbortController();
  return exec(server.transport, pod, 'side car', ['sh', '-c', 'kill 1 && true'], abort);
}

it('requests the command in a container, with stdout and stderr and without a terminal', async () => {
  await execAfter(success);
  const [[path, protocols] = []] = server?.asked ?? [];
  expect(path).toBe(
    '/api/v1/namespaces/demo/pods/work/exec?command=sh&command=-c&command=kill%201%20%26%26%20true' +
      '&container=side%20car&stdin=false&stdout=true&stderr=true&tty=false',
  );
  expect(protocols).toBe('v5.channel.k8s.io,v4.channel.k8s.io');
});

describe('an exec returns', () => {
  it('the exit code and both streams in order of arrival', async () => {
    const expected = { kind: 'Exited', exitCode: 0, output: 'one two three' };
    expect(await execAfter(frame(1, 'one '), frame(2, 'two '), frame(1, 'three'), success)).toEqual(expected);
  });

  it('its output line by line, each printable', async () => {
    const noise = frame(2, 'ERROR: ld.so: object \u001b[31m/lib/x.so cannot be preloaded: ignored.\r\n\n');
    expect(await execAfter(noise, frame(1, 'sent TERM to PID 1\n'), success)).toEqual({
      kind: 'Exited',
      exitCode: 0,
      output: 'ERROR: ld.so: object  [31m/lib/x.so cannot be preloaded: ignored.\nsent TERM to PID 1',
    });
  });

  it('a bounded part of a long output', async () => {
    const result = await execAfter(frame(1, 'x'.repeat(5_000)), frame(2, 'y'.repeat(600)), success);
    expect(result).toEqual({ kind: 'Exited', exitCode: 0, output: `${'x'.repeat(424)}${'y'.repeat(88)}…` });
  });

  it('no proof if the connection closes without a status', async () => {
    const expected = { kind: 'Unconfirmed', message: 'the connection closed without a result (1000)' };
    expect(await execAfter(frame(1, 'sent TERM'))).toEqual(expected);
  });
});
