import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { EmulatorClock } from '../../clock.ts';
import type { Pod } from '../../world/objects.ts';
import { type Answer, type Channels, text } from '../answer.ts';
import { type Call, namedObject } from '../call.ts';
import { badRequest } from '../status.ts';
import { dialingFailed, locateKubelet, requireCreate } from './location.ts';

/** Connects to a port on the pod's loopback. The message of its error goes to the error channel. */
type OpenPort = (port: number) => Promise<Duplex>;

/** port-forward over WebSocket channels. kubectl's, over SPDY through a WebSocket, is refused. */
export function portForward(call: Call): Answer {
  const { upgrade, query } = call.request;
  if (!upgrade) throw badRequest('Upgrade request required');
  requireCreate(call);
  const pod = namedObject<Pod>(call);
  const { reachable, kubeletAddress } = locateKubelet(call, pod);
  if (!reachable) throw dialingFailed(kubeletAddress);
  const open = portOpener(call, pod);
  if (!upgrade.includes('v4.channel.k8s.io')) {
    return { kind: 'Body', status: 403, headers: { connection: 'close' }, body: '' };
  }
  const ports = query.getAll('ports').flatMap((each) => each.split(',').map(Number));
  if (ports.length === 0) return text(400, 'query parameter "port" is required\n');
  if (!ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)) {
    return text(400, `invalid port "${query.get('ports')}"\n`);
  }
  return forwardOverChannels(ports, open, call.backend.clock);
}

function portOpener({ backend }: Call, pod: Pod): OpenPort {
  const hash = createHash('sha256').update(pod.metadata.uid).digest('hex');
  return async (port) => {
    const about = `error forwarding port ${port} to pod ${hash}, uid : `;
    const sandbox = backend.kubelet.sandbox(pod.metadata.uid);
    if (!sandbox) throw new Error(`${about}network namespace for sandbox "${hash}" is closed`);
    try {
      return await sandbox.connect(port);
    } catch {
      throw new Error(
        `${about}failed to execute portforward in network namespace "/var/run/netns/cni-${pod.metadata.uid}": ` +
          `failed to connect to localhost:${port} inside namespace "${hash}", IPv4: dial tcp4 127.0.0.1:${port}: ` +
          'connect: connection refused IPv6 dial tcp6: address localhost: no suitable address found ',
      );
    }
  };
}

/** How long the runtime waits for the client to close after the pod has closed, in milliseconds. */
const closingGrace = 1000;

/** Each port has a data and an error channel. Each channel begins with the port number in little endian. */
function forwardOverChannels(ports: readonly number[], open: OpenPort, clock: EmulatorClock): Answer {
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
