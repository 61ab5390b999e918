import { toUSVString } from 'node:util';
import { bounds } from '../../model/bounds.ts';
import type { Cluster, ExecResult } from '../../model/ports.ts';
import { parseJson } from '../../util/json.ts';
import { printable } from '../../util/text.ts';
import { parseStatus } from '../client/answer.ts';
import type { Over, SocketOpener } from '../client/transport.ts';
import { podPath } from '../objects/objects.ts';
import { concludeStatus } from './results.ts';
import { openSession } from './socket.ts';

const channels = { stdout: 1, stderr: 2, status: 3 } as const;

/** client-node's Exec resolves on open, never settles if the connection drops, and throws in the event loop on odd frames. */
export const exec: Over<SocketOpener, Cluster['exec']> = (transport, pod, container, command, abort) => {
  const { redact } = transport;
  const options = { container, stdin: 'false', stdout: 'true', stderr: 'true', tty: 'false' };
  const asked = [...command.map((word) => ['command', word] as const), ...Object.entries(options)];
  // URLSearchParams takes three times as long for a script.
  const query = asked.map(([name, value]) => `${name}=${encodeURIComponent(toUSVString(value))}`);
  const upgrade = { path: `${podPath(pod, 'exec')}?${query.join('&')}`, resource: 'pods/exec' } as const;
  return openSession<ExecResult>(transport, upgrade, abort, (socket, finish) => {
    let output = '';
    socket.on('message', (data, isBinary) => {
      if (!isBinary || !Buffer.isBuffer(data)) return;
      const payload = data.subarray(1).toString('utf8');
      switch (data[0]) {
        case channels.stdout:
        case channels.stderr:
          output = (output + payload).slice(-bounds.output);
          break;
        case channels.status:
          finish(concludeFrame(redact(payload), redact(output)));
          break;
      }
    });
    socket.on('close', (code) =>
      finish({ kind: 'Unconfirmed', message: `the connection closed without a result (${code})` }),
    );
  });
};

function concludeFrame(payload: string, output: string): ExecResult {
  const status = parseStatus(parseJson(payload));
  if (!status) return { kind: 'Unconfirmed', message: 'the server sent a status that cannot be read' };
  // A program's own message may follow complaints of its shell or its loader.
  const lines = output.split('\n').map((line) => printable(line));
  return concludeStatus(status, lines.filter((line) => line !== '').join('\n'));
}
