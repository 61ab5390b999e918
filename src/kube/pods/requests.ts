import type { Resources } from '../../model/pod.ts';
import { type Json, record, records } from '../json.ts';

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

const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Reads a quantity of Kubernetes (`250m`, `1.5`, `64Mi`, `1e3`) as a number; 0 for anything else.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function parseQuantity(value: unknown): number {
  // The API writes quantities as strings; older objects may have plain numbers.
  if (typeof value !== 'string' && typeof value !== 'number') return 0;
  const [, number, suffix] =
    /^(\d+(?:\.\d*)?(?:[eE][+-]?\d{1,2})?)([A-Za-z]{0,2})$/.exec(String(value)) ?? [];
  const factor = suffix !== undefined && Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined;
  return number === undefined || factor === undefined ? 0 : Number(number) * factor;
}
