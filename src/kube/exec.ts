import { WebSocket } from 'ws';
import type { ExecResult } from '../ports.ts';
import { printable } from '../printable.ts';
import type { Millis, PodRef } from '../vocabulary.ts';
import { concludeStatus, refuseHandshake } from './exec-result.ts';
import { podPath } from './paths.ts';
import { parseJson, parseStatus, problemOfError } from './problem.ts';
import { CredentialError, type Transport } from './transport.ts';

const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const channels = { stdout: 1, stderr: 2, status: 3 } as const;
const maxOutput = 1024;

/**
 * Runs a command in a container and tells all that the connection told; never rejects. Stands on ws itself,
 * because client-node's Exec resolves at open, never settles when the connection drops, and throws in the event
 * loop on frames it does not expect.
 */
export async function exec(
  transport: Transport,
  pod: PodRef,
  container: string,
  command: readonly string[],
  timeout: Millis,
  signal: AbortSignal,
): Promise<ExecResult> {
  if (signal.aborted) return { kind: 'Undelivered', message: 'the sweep was stopped' };
  const target = await transport.socket(execPath(pod, container, command));
  if (target instanceof CredentialError) return { kind: 'Undelivered', message: target.message };
  const { url, options } = target;
  return new Promise((resolve) => {
    const socket = new WebSocket(url, protocols, {
      ...options,
      handshakeTimeout: timeout,
      perMessageDeflate: false,
      maxPayload: 1024 * 1024,
    });
    let opened = false;
    let output = '';
    const finish = (result: ExecResult) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      resolve(result);
      socket.terminate();
    };
    /** Once the connection stands, the command may have run. */
    const giveUp = (message: string) => finish({ kind: opened ? 'Unconfirmed' : 'Undelivered', message });
    const interrupt = () => giveUp('the sweep was stopped');
    const timer = setTimeout(
      () => giveUp(`no result within ${timeout / 1000}s (--request-timeout)`),
      timeout,
    );
    signal.addEventListener('abort', interrupt, { once: true });

    socket.on('open', () => {
      opened = true;
    });
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (body.length < 64 * 1024) body += chunk;
      });
      response.on('error', () => finish(refuseHandshake(response.statusCode ?? 0, body, 'pods/exec')));
      response.on('end', () => finish(refuseHandshake(response.statusCode ?? 0, body, 'pods/exec')));
    });
    socket.on('message', (data, isBinary) => {
      if (!isBinary || !Buffer.isBuffer(data)) return;
      const payload = data.subarray(1).toString('utf8');
      switch (data[0]) {
        case channels.stdout:
        case channels.stderr:
          output = (output + payload).slice(-maxOutput);
          break;
        case channels.status: {
          const status = parseStatus(parseJson(payload));
          finish(
            status
              ? concludeStatus(status, printable(output))
              : { kind: 'Unconfirmed', message: 'the server sent a status that is none' },
          );
          break;
        }
      }
    });
    socket.on('close', (code) => giveUp(`the connection closed without a result (${code})`));
    socket.on('error', (error) => giveUp(problemOfError(error, transport.server).message));
  });
}

function execPath(pod: PodRef, container: string, command: readonly string[]): string {
  const query = new URLSearchParams(command.map((word): [string, string] => ['command', word]));
  query.append('container', container);
  for (const [stream, wanted] of [
    ['stdin', false],
    ['stdout', true],
    ['stderr', true],
    ['tty', false],
  ] as const) {
    query.append(stream, String(wanted));
  }
  return `${podPath(pod, 'exec')}?${query}`;
}
