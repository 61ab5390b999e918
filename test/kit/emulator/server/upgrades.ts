import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FaultAction } from '../faults.ts';
import type { Answer, Channels } from '../handlers/answer.ts';

export interface UpgradeSocket {
  readonly message: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export class Upgrades {
  readonly #protocols = new WeakMap<IncomingMessage, string>();
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (_offered, message) => this.#protocols.get(message) ?? false,
  });

  accept(upgrade: UpgradeSocket, { protocol, serve }: Extract<Answer, { kind: 'Channels' }>): void {
    this.#openWebSocket(upgrade, protocol, (webSocket) => serve(channelsOver(webSocket)));
  }

  acceptScripted(upgrade: UpgradeSocket, script: Extract<FaultAction, { kind: 'Frames' }>): void {
    const [offered] = (upgrade.message.headers['sec-websocket-protocol'] ?? '').split(',');
    this.#openWebSocket(upgrade, script.protocol ?? offered?.trim() ?? '', (webSocket) => {
      for (const frame of script.frames) webSocket.send(frame);
      switch (script.end.kind) {
        case 'Close':
          webSocket.close(script.end.code ?? 1000);
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

  #openWebSocket(
    { message, socket, head }: UpgradeSocket,
    protocol: string,
    serve: (webSocket: WebSocket) => void,
  ): void {
    this.#protocols.set(message, protocol);
    this.#webSockets.handleUpgrade(message, socket, head, (webSocket) => {
      // After an invalid frame or a lost connection the socket closes by itself.
      webSocket.on('error', () => {});
      serve(webSocket);
    });
  }
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
