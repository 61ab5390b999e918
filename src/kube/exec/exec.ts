import { bounds } from '../../model/bounds.ts';
import type { PodRef } from '../../model/pod.ts';
import type { ExecResult } from '../../model/ports.ts';
import { printable } from '../../util/text.ts';
import type { Millis } from '../../util/time.ts';
import { parseStatus } from '../client/answer.ts';
import type { SocketOpener } from '../client/transport.ts';
import { parseJson } from '../json.ts';
import { podPath } from '../objects/objects.ts';
import { concludeStatus } from './results.ts';
import { openSession, type Talk, type Upgrade } from './socket.ts';

const channels = { stdout: 1, stderr: 2, status: 3 } as const;

/**
 * Runs a command in a container and returns all that the connection tells; never rejects. It is built on ws
 * because client-node's Exec resolves on open, never settles if the connection drops, and throws in the event
 * loop on frames that it does not expect.
 */
export function exec(
  transport: SocketOpener,
  pod: PodRef,
  container: string,
  command: readonly string[],
  timeout: Millis,
  abort: AbortSignal,
): Promise<ExecResult> {
  const upgrade: Upgrade = {
    path: execPath(pod, container, command),
    protocols: ['v5.channel.k8s.io', 'v4.channel.k8s.io'],
    resource: 'pods/exec',
    awaited: 'result',
  };
  return openSession(transport, upgrade, { timeout, abort }, followExec(transport.redact));
}

/** Keeps the end of the output until the status comes. */
const followExec =
  (redact: SocketOpener['redact']): Talk<ExecResult> =>
  (socket, finish) => {
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
  };

function concludeFrame(payload: string, output: string): ExecResult {
  const status = parseStatus(parseJson(payload));
  return status
    ? concludeStatus(status, printableLines(output))
    : { kind: 'Unconfirmed', message: 'the server sent a status that cannot be read' };
}

/** What a program says may stand below what its shell or its loader complains of. */
function printableLines(output: string): string {
  const lines = output.split('\n').map((line) => printable(line));
  return lines.filter((line) => line !== '').join('\n');
}

function execPath(pod: PodRef, container: string, command: readonly string[]): string {
  const streams = new URLSearchParams({
    container,
    stdin: 'false',
    stdout: 'true',
    stderr: 'true',
    tty: 'false',
  });
  return `${podPath(pod, 'exec')}?${[...command.map(inQuery), streams].join('&')}`;
}

/** A sweep sends few different words, and each to many pods. */
const mostWords = 256;
const queryOf = new Map<string, string>();

/** A word of a command as it stands in the query. Encoding the signal script makes 70 KB of garbage. */
function inQuery(word: string): string {
  const known = queryOf.get(word);
  if (known !== undefined) return known;
  if (queryOf.size >= mostWords) queryOf.clear();
  const query = inOnePiece(new URLSearchParams({ command: word }).toString());
  queryOf.set(word, query);
  return query;
}

/** V8 keeps a text that was built piece by piece as a tree of its pieces, and walks through it whenever it is joined. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}
