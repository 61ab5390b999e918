import type { Duplex } from 'node:stream';
import type { EmulatorClock } from '../../clock.ts';
import type { Answer, Channels } from '../answer.ts';
import type { OpenPort } from './port-forward.ts';

/** How long the runtime waits for the client to close after the pod has closed, in milliseconds. */
const closingGrace = 1000;

/** Each port has a data and an error channel. Each channel begins with the port number in little endian. */
export function forwardOverChannels(ports: readonly number[], open: OpenPort, clock: EmulatorClock): Answer {
  return {
    kind: 'Channels',
    protocol: 'v4.channel.k8s.io',
    serve(channels) {
      for (const [index, port] of ports.entries()) {
        const opening = Buffer.from([port & 0xff, port >> 8]);
        channels.send(2 * index, opening);
        channels.send(2 * index + 1, opening);
      }
      const forwards = ports.map((port, index) => forward(channels, 2 * index, port, open, clock));
      void Promise.all(forwards).then(() => channels.close());
    },
  };
}

/** Forwards one port until either side closes it. */
async function forward(
  channels: Channels,
  data: number,
  port: number,
  open: OpenPort,
  clock: EmulatorClock,
): Promise<void> {
  const early: Buffer[] = [];
  let socket: Duplex | undefined;
  channels.onFrame((channel, chunk) => {
    if (channel !== data) return;
    if (socket) socket.write(chunk);
    else early.push(chunk);
  });
  try {
    socket = await open(port);
  } catch (error) {
    channels.send(data + 1, Buffer.from(error instanceof Error ? error.message : String(error)));
    return;
  }
  const connected = socket;
  for (const chunk of early) connected.write(chunk);
  connected.on('data', (chunk: Buffer) => channels.send(data, chunk));
  channels.onClose(() => connected.destroy());
  await new Promise<void>((resolve) => {
    // As in the runtime, a reset by the pod ends the stream.
    connected.on('error', () => {});
    connected.once('close', () => resolve());
    connected.once('end', () => clock.after(closingGrace, () => resolve()));
  });
  connected.destroy();
}
