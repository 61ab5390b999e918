import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FaultAction } from '../faults.ts';
import type { Answer, Channels } from '../handlers/answer.ts';

interface Upgrade {
  readonly message: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export function serveChannels(
  upgrade: Upgrade,
  { protocol, serve }: Extract<Answer, { kind: 'Channels' }>,
): void {
  openWebSocket(upgrade, protocol, (webSocket) => serve(channelsOver(webSocket)));
}

export function playFrames(
  upgrade: Upgrade,
  { protocol, frames, end }: Extract<FaultAction, { kind: 'Frames' }>,
): void {
  const [offered = ''] = (upgrade.message.headers['sec-websocket-protocol'] ?? '').split(',');
  openWebSocket(upgrade, protocol ?? offered.trim(), (webSocket) => {
    for (const frame of frames) webSocket.send(frame);
    switch (end.kind) {
      case 'Close':
        webSocket.close(end.code ?? 1000);
        return;
      case 'Terminate':
        // Ends after the written data, without a close frame.
        upgrade.socket.end();
        return;
      case 'StayOpen':
        return;
    }
  });
}

function openWebSocket(
  { message, socket, head }: Upgrade,
  protocol: string,
  serve: (webSocket: WebSocket) => void,
): void {
  const handleProtocols = () => protocol || false;
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, handleProtocols });
  server.handleUpgrade(message, socket, head, (webSocket) => {
    // After an invalid frame or a lost connection the socket closes by itself.
    webSocket.on('error', () => {});
    serve(webSocket);
  });
}

function channelsOver(webSocket: WebSocket): Channels {
  return {
    send(channel, data) {
      if (webSocket.readyState !== webSocket.OPEN) return;
      webSocket.send(Buffer.concat([Buffer.from([channel]), data]));
    },
    close: () => webSocket.close(1000),
    onFrame(listener) {
      webSocket.on('message', (message: Buffer) => {
        const [channel] = message;
        if (channel !== undefined) listener(channel, message.subarray(1));
      });
    },
    onClose: (listener) => void webSocket.once('close', listener),
  };
}
