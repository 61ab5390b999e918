import { field, varint } from '../builders/api-pod.ts';
import type { TestCluster } from './stuck-pods.ts';

/** A list of pods with which one tenant, or a server, tries to exhaust a sweep. */
export interface HostileList {
  readonly name: string;
  /** Whether they are failed pods of Jobs, which are read to learn how these react. */
  readonly isOfFailed?: true;
  /** In seconds. */
  readonly deadline: 20 | 60;
  readonly pods: number;
  /** What each pod has besides its names: of its metadata, its spec and its status. */
  readonly metadata: Buffer;
  readonly spec: Buffer;
  readonly status: Buffer;
}

const times = (count: number, each: (index: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => each(index)));
const entry = (number: number, key: string, value: string) => field(number, field(1, key), field(2, value));

const hourAgo = Buffer.concat([Buffer.from([0x08]), varint(Math.floor(Date.now() / 1_000) - 3_600)]);
const container = (name: string, ...more: readonly Buffer[]) =>
  field(2, field(1, name), field(2, 'docker.io/local/busybox:1'), ...more);
const main = container('main');
const never = field(3, 'Never');
const stuckSpec = (...ofSidecar: readonly Buffer[]) =>
  Buffer.concat([main, container('sidecar', ...ofSidecar), never]);

/** The main has ended with this code, and the sidecar runs. */
function statusOf(phase: 'Running' | 'Failed', exitCode: number): Buffer {
  const ended = field(3, Buffer.from([0x08, exitCode]), field(6, hourAgo));
  const state = phase === 'Running' ? field(2, field(1, hourAgo)) : ended;
  return Buffer.concat([
    field(1, phase),
    field(8, field(1, 'main'), field(2, ended), field(8, 'containerd://main')),
    field(8, field(1, 'sidecar'), field(2, state), field(8, 'containerd://sidecar')),
  ]);
}
const stuck = statusOf('Running', 0);
const failed = statusOf('Failed', 1);
const marked = entry(12, 'sidecar-sweeper.dev/sidecars', 'sidecar');
const owner = [field(1, 'Job'), field(3, 'work'), field(4, 'job-1'), field(5, 'batch/v1')];
const ofJob = Buffer.concat([entry(11, 'job-name', 'work'), field(13, ...owner, Buffer.from([0x30, 1]))]);

/** Where each pod has something of its own, so that no memory can be shared between them. */
const own = '########';
const long = (bytes: number) => own + 'x'.repeat(bytes - own.length);
const annotations = (count: number, bytes: number) =>
  times(count, (index) => entry(12, `a${index}`, long(bytes)));

/** Stuck pods, unless they say otherwise. */
const listOf = (
  name: string,
  deadline: HostileList['deadline'],
  pods: number,
  more: Partial<HostileList>,
): HostileList => ({ name, deadline, pods, metadata: marked, spec: stuckSpec(), status: stuck, ...more });

const withAnnotations = (count: number) => ({ metadata: Buffer.concat([marked, annotations(count, 1_000)]) });
const arguments650 = { spec: stuckSpec(times(650, () => field(4, long(2_000)))) };
const ofFailed = { isOfFailed: true, metadata: ofJob, status: failed } as const;

// biome-ignore format: one row a line
export const hostileLists: readonly HostileList[] = [
  listOf('300 stuck pods with 1.3 MB of arguments each', 60, 300, arguments650),
  listOf('250 stuck pods with 1.4 MB of variables each', 60, 250, { spec: stuckSpec(times(1_400, (index) => entry(7, `V${index}`, long(1_000)))) }),
  listOf('950 stuck pods with 250 KB of annotations each', 60, 950, withAnnotations(250)),
  listOf('950 stuck pods just below the bound of one pod, in portions', 60, 950, withAnnotations(115)),
  listOf('400 failed pods of Jobs with 1.3 MB of arguments each', 60, 400, { ...ofFailed, ...arguments650 }),
  listOf('1,800 failed pods of Jobs with 250 KB of annotations each', 60, 1_800, { ...ofFailed, metadata: Buffer.concat([ofJob, annotations(250, 1_000)]) }),
  listOf('30 pods of which 2 MB alternate between two fields', 20, 30, { spec: stuckSpec(times(140_000, () => Buffer.concat([entry(7, 'A', 'b'), field(4, 'x')]))) }),
  listOf('30 pods with 170,000 named containers each', 20, 30, { metadata: Buffer.alloc(0), spec: Buffer.concat([times(170_000, (index) => field(2, field(1, `c${index}`))), never]) }),
  listOf('30 pods with a million empty containers each', 20, 30, { metadata: Buffer.alloc(0), spec: Buffer.concat([times(1_000_000, () => field(2)), never]) }),
  listOf('30 pods with 180,000 annotations each', 20, 30, { metadata: times(180_000, (index) => field(12, field(1, String(index)))) }),
  listOf('100,000 tiny pods', 60, 100_000, { metadata: Buffer.alloc(0), spec: Buffer.concat([main, never]), status: Buffer.concat([field(1, 'Running'), field(8, field(1, 'main'), field(2, field(2)))]) }),
];

function* itemsOf(list: HostileList) {
  const rest = restOf(list);
  for (let index = 0; index < list.pods; index++) yield itemOf(list, rest, index);
}

function restOf({ spec, status }: HostileList): Buffer {
  return Buffer.concat([field(2, spec), field(3, status)]);
}

function itemOf({ metadata, isOfFailed }: HostileList, rest: Buffer, index: number): Buffer {
  // Failed pods are listed in the namespaces of the stuck ones, and a pod of another one would not be read.
  const namespace = isOfFailed ? 'demo' : 'hostile';
  const names = [field(1, `hostile-${index}`), field(3, namespace), field(5, `hostile-uid-${index}`)];
  const head = field(1, ...names, metadata);
  const item = Buffer.concat([varint(2 * 8 + 2), varint(head.length + rest.length), head, rest]);
  for (let at = item.indexOf(own); at >= 0; at = item.indexOf(own, at)) {
    item.write(String(index).padStart(own.length, '0'), at);
  }
  return item;
}

export function bytesOf(list: HostileList): number {
  // How long an item is depends on the digits of its number alone.
  const lengths = new Map<number, number>();
  let bytes = 0;
  for (let index = 0; index < list.pods; index++) {
    const digits = String(index).length;
    const length = lengths.get(digits) ?? itemOf(list, restOf(list), index).length;
    lengths.set(digits, length);
    bytes += length;
  }
  return bytes;
}

/** Lists of pods in this cluster have these pods as well, on their first page. */
export function appendTo({ emulator }: TestCluster, list: HostileList): void {
  const isStruck = (query: URLSearchParams) => {
    const isOfFailed = query.get('labelSelector') === 'job-name';
    const isFirst = !query.has('continue');
    if (list.isOfFailed) return isFirst && isOfFailed;
    return isFirst && (query.has('resourceVersion') || (query.has('limit') && !isOfFailed));
  };
  emulator.faults.add(
    { verb: 'list', resource: 'pods', when: ({ path }) => isStruck(new URL(path, 'http://x').searchParams) },
    { kind: 'Append', more: { bytes: bytesOf(list), items: { [Symbol.iterator]: () => itemsOf(list) } } },
  );
}
