import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Pod } from '../../world/objects.ts';
import { type Answer, type Channels, text } from '../answer.ts';
import { type Backend, type Call, namedObject } from '../call.ts';
import { badRequest } from '../status.ts';
import { dialingFailed, locateKubelet, requireCreate } from './location.ts';

/** port-forward over WebSocket channels. kubectl's, over SPDY through a WebSocket, is refused. */
export function portForward(call: Call): Answer {
  const { upgrade, query } = call.request;
  if (!upgrade) throw badRequest('Upgrade request required');
  requireCreate(call);
  const pod = namedObject<Pod>(call);
  const { reachable, kubeletAddress } = locateKubelet(call, pod);
  if (!reachable) throw dialingFailed(kubeletAddress);
  if (!upgrade.includes('v4.channel.k8s.io')) {
    return { kind: 'Body', status: 403, headers: { connection: 'close' }, body: '' };
  }
  const ports = query.getAll('ports').flatMap((each) => each.split(',').map(Number));
  if (ports.length === 0) return text(400, 'query parameter "port" is required\n');
  if (!ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)) {
    return text(400, `invalid port "${query.get('ports')}"\n`);
  }
  return {
    kind: 'Channels',
    protocol: 'v4.channel.k8s.io',
    serve(channels) {
      // Each port has a data and an error channel. Each channel begins with the port number in little endian.
      for (const [index, port] of ports.entries()) {
        const opening = Buffer.from([port & 0xff, port >> 8]);
        channels.send(2 * index, opening);
        channels.send(2 * index + 1, opening);
      }
      const forwards = ports.map((port, index) => forward(call.backend, pod, port, channels, 2 * index));
      void Promise.all(forwards).then(() => channels.close());
    },
  };
}

/** How long the runtime waits for the client to close after the pod has closed, in milliseconds. */
const closingGrace = 1000;

async function forward(backend: Backend, pod: Pod, port: number, channels: Channels, data: number) {
  const early: Buffer[] = [];
  let socket: Duplex | undefined;
  channels.onFrame((channel, chunk) => {
    if (channel !== data) return;
    if (socket) socket.write(chunk);
    else early.push(chunk);
  });
  const opened = await connect(backend, pod, port);
  if (typeof opened === 'string') {
    channels.send(data + 1, Buffer.from(opened));
    return;
  }
  socket = opened;
  for (const chunk of early) opened.write(chunk);
  opened.on('data', (chunk: Buffer) => channels.send(data, chunk));
  channels.onClose(() => opened.destroy());
  await new Promise<void>((resolve) => {
    // As in the runtime, a reset by the pod ends the stream.
    opened.on('error', () => {});
    opened.once('close', () => resolve());
    opened.once('end', () => backend.clock.after(closingGrace, () => resolve()));
  });
  opened.destroy();
}

/** Connects to a port on the pod's loopback; the text is an error. */
async function connect({ kubelet }: Backend, { metadata }: Pod, port: number): Promise<Duplex | string> {
  const hash = createHash('sha256').update(metadata.uid).digest('hex');
  const about = `error forwarding port ${port} to pod ${hash}, uid : `;
  const sandbox = kubelet.sandbox(metadata.uid);
  if (!sandbox) return `${about}network namespace for sandbox "${hash}" is closed`;
  return sandbox
    .connect(port)
    .catch(
      () =>
        `${about}failed to execute portforward in network namespace "/var/run/netns/cni-${metadata.uid}": ` +
        `failed to connect to localhost:${port} inside namespace "${hash}", IPv4: dial tcp4 127.0.0.1:${port}: ` +
        'connect: connection refused IPv6 dial tcp6: address localhost: no suitable address found ',
    );
}
