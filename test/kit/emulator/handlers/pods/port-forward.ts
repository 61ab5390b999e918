import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Pod } from '../../world/objects.ts';
import { type Answer, text } from '../answer.ts';
import { type Call, namedObject } from '../call.ts';
import { badRequest } from '../status.ts';
import { dialingFailed, locateKubelet } from './location.ts';
import { forwardOverChannels } from './port-forward-channels.ts';
import { forwardOverSpdy } from './port-forward-spdy.ts';
import { requireCreate } from './streaming-access.ts';

/** Connects to a port on the pod's loopback. The message of its error goes to the error channel. */
export type OpenPort = (port: number) => Promise<Duplex>;

const tunnel = 'SPDY/3.1+portforward.k8s.io';

/** port-forward over WebSocket channels, over SPDY, or, as kubectl does, over SPDY through a WebSocket. */
export function portForward(call: Call): Answer {
  const { upgrade, query } = call.request;
  if (!upgrade) throw badRequest('Upgrade request required');
  requireCreate(call);
  const pod = namedObject<Pod>(call);
  const { reachable, kubeletAddress } = locateKubelet(call, pod);
  if (!reachable) throw dialingFailed(kubeletAddress);
  const open = portOpener(call, pod);
  if (upgrade.to === 'spdy/3.1') return forwardOverSpdy('portforward.k8s.io', open);
  if (upgrade.protocols.includes(tunnel)) return forwardOverSpdy(tunnel, open);
  if (!upgrade.protocols.includes('v4.channel.k8s.io')) {
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
