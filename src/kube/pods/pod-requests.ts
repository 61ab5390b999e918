import type { Resources } from '../../model/pod.ts';
import { type Json, record, records } from '../json.ts';
import { parseQuantity } from './quantity.ts';

const none: Resources = { cpu: 0, memory: 0 };

/**
 * What the scheduler counts against the node until the pod has ended, containers that have ended included.
 * Init containers run one after another, alongside the native sidecars before them.
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/#resource-sharing-within-containers
 */
export function podRequests(spec: Json): Resources {
  let native = none;
  let starting = none;
  for (const container of records(spec['initContainers'])) {
    const own = requestsOf(container);
    if (container['restartPolicy'] === 'Always') native = add(native, own);
    starting = most(starting, container['restartPolicy'] === 'Always' ? native : add(native, own));
  }
  const running = records(spec['containers']).map(requestsOf).reduce(add, native);
  const summed = most(running, starting);
  // Since 1.34, a pod as a whole can have requests.
  const { cpu, memory } = record(record(spec['resources'])['requests']);
  const whole = {
    cpu: cpu === undefined ? summed.cpu : parseQuantity(cpu),
    memory: memory === undefined ? summed.memory : parseQuantity(memory),
  };
  return add(whole, toResources(record(spec['overhead'])));
}

function requestsOf(container: Json): Resources {
  return toResources(record(record(container['resources'])['requests']));
}

function toResources({ cpu, memory }: Json): Resources {
  return { cpu: parseQuantity(cpu), memory: parseQuantity(memory) };
}

function add(a: Resources, b: Resources): Resources {
  return { cpu: a.cpu + b.cpu, memory: a.memory + b.memory };
}

function most(a: Resources, b: Resources): Resources {
  return { cpu: Math.max(a.cpu, b.cpu), memory: Math.max(a.memory, b.memory) };
}
