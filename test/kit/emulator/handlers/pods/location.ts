import { HOST_IP } from '../../world/kubelet/pod-status.ts';
import type { Pod } from '../../world/objects.ts';
import { authorize } from '../access.ts';
import { type Call, namedObject } from '../call.ts';
import { badRequest, forbidden, notFound, StatusError } from '../status.ts';

export interface Location {
  readonly pod: Pod;
  readonly container: string;
  /** For example `127.0.0.1:10250`. */
  readonly kubeletAddress: string;
  /** Whether anything listens at that address. */
  readonly reachable: boolean;
}

export function locateContainer(call: Call): Location {
  const pod = namedObject<Pod>(call);
  const container = chooseContainer(pod, call.request.query.get('container'));
  return { pod, container, ...locateKubelet(call, pod) };
}

function chooseContainer({ metadata, spec }: Pod, asked: string | null): string {
  const names = (containers: readonly { name: string }[] = []) => containers.map(({ name }) => name);
  const containers = names(spec.containers);
  const initContainers = names(spec.initContainers);
  if (asked) {
    if ([...containers, ...initContainers, ...names(spec.ephemeralContainers)].includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${metadata.name}`);
  }
  const [only, second] = containers;
  if (only !== undefined && second === undefined && initContainers.length === 0) return only;
  const also =
    initContainers.length === 0 ? '' : ` or one of the init containers: [${initContainers.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${metadata.name}, choose one of: [${containers.join(' ')}]${also}`,
  );
}

const KUBELET_PORT = 10_250;

export function locateKubelet(
  { backend }: Call,
  { metadata, spec }: Pod,
): Pick<Location, 'kubeletAddress' | 'reachable'> {
  const { nodeName } = spec;
  if (!nodeName) throw badRequest(`pod ${metadata.name} does not have a host assigned`);
  const node = backend.store.get('nodes', undefined, nodeName);
  // The server's 404 reports the missing node as a missing pod, although the pod exists.
  if (!node) throw notFound({ group: '', resource: 'pods' }, nodeName);
  const { addresses = [], daemonEndpoints } = (node['status'] ?? {}) as {
    addresses?: { type: string; address: string }[];
    daemonEndpoints?: { kubeletEndpoint?: { Port?: number } };
  };
  const address = addresses.find(({ type }) => type === 'InternalIP')?.address ?? nodeName;
  const port = daemonEndpoints?.kubeletEndpoint?.Port ?? KUBELET_PORT;
  // All kubelets of the world share one address. A Node with another address has no kubelet.
  return { kubeletAddress: `${address}:${port}`, reachable: address === HOST_IP && port === KUBELET_PORT };
}

/** The error for requests that the server proxies to a kubelet whose port is closed. */
export function dialingFailed(kubeletAddress: string): StatusError {
  const message = `error dialing backend: dial tcp ${kubeletAddress}: connect: connection refused`;
  return new StatusError(500, 'InternalError', message);
}

/**
 * Since Kubernetes 1.35, a WebSocket upgrade, which is an HTTP GET, also needs the verb `create`. The refusal
 * does not mention it.
 */
export function requireCreate({ backend, user, info, resource }: Call): void {
  if (info.verb === 'create') return;
  const decision = authorize(backend.store, user, { ...info, verb: 'create' });
  if (!decision.allowed) throw forbidden(resource, info.name, '');
}
