import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { field, varint } from '../builders/api-pod.ts';
import { kubeconfigOf } from '../builders/kubeconfig.ts';
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

function itemOf({ metadata }: HostileList, rest: Buffer, index: number): Buffer {
  const names = [field(1, `hostile-${index}`), field(3, 'hostile'), field(5, `hostile-uid-${index}`)];
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

/** Says of each Job that one of its pods has failed. */
async function addFailures(response: IncomingMessage, answer: ServerResponse): Promise<void> {
  const text = Buffer.concat(await response.toArray()).toString();
  const { 'content-length': _, ...headers } = response.headers;
  answer.writeHead(response.statusCode ?? 0, headers);
  answer.end(text.replaceAll('"status":{', '"status":{"failed":1,'));
}

/** Stands before a cluster, and adds these pods to its lists. Everything else is passed on as it comes. */
export class HostileServer {
  private constructor(
    private readonly server: Server,
    private readonly to: { readonly url: URL; readonly token: string },
    private readonly list: HostileList,
  ) {
    server.on('request', (asked, answer) => void this.#answer(asked, answer));
    server.on('upgrade', (asked, socket) => this.#upgrade(asked, socket));
  }

  static async start(cluster: TestCluster, list: HostileList): Promise<HostileServer> {
    const text = cluster.emulator.kubeconfig();
    const found = (name: string) => new RegExp(`${name}: "?([^\\s"]+)`).exec(text)?.[1] ?? '';
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HostileServer(server, { url: new URL(found('server')), token: found('token') }, list);
  }

  get kubeconfig(): string {
    const { port } = this.server.address() as AddressInfo;
    return JSON.stringify(kubeconfigOf({ server: `http://127.0.0.1:${port}` }, {}));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  #pass({ url = '', method, headers }: IncomingMessage) {
    const { hostname, port } = this.to.url;
    return request({
      hostname,
      port,
      path: url,
      method,
      headers: { ...headers, authorization: `Bearer ${this.to.token}` },
      rejectUnauthorized: false,
    });
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const passed = asked.pipe(this.#pass(asked));
    passed.on('error', () => answer.destroy());
    const [response] = (await once(passed, 'response')) as [IncomingMessage];
    const { pathname, searchParams } = new URL(asked.url ?? '', 'http://x');
    const isFailed = searchParams.get('labelSelector') === 'job-name';
    const isList =
      /^\/api\/v1\/(?:namespaces\/[^/]+\/)?pods$/.test(pathname) && !searchParams.has('continue');
    const isStruck = isList && (this.list.isOfFailed ? isFailed : searchParams.has('resourceVersion'));
    if (this.list.isOfFailed && pathname.startsWith('/apis/batch/'))
      return void (await addFailures(response, answer));
    if (!isStruck && !(isList && !isFailed && !this.list.isOfFailed && searchParams.has('limit'))) {
      answer.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(answer);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    this.#add(Buffer.concat(chunks), answer);
  }

  /** Writes a list with the pods behind its own. */
  #add(body: Buffer, answer: ServerResponse): void {
    // The magic, the type with its tag, and the tag of the list, whose length comes next.
    const start = 4 + 2 + (body[5] ?? 0) + 1;
    let [length, shift, end] = [0, 1, start];
    do {
      length += ((body[end] ?? 0) & 0x7f) * shift;
      shift *= 0x80;
    } while ((body[end++] ?? 0) >= 0x80);
    answer.writeHead(200, {
      'content-type': 'application/vnd.kubernetes.protobuf',
      date: new Date().toUTCString(),
    });
    const own = [
      body.subarray(0, start),
      varint(length + bytesOf(this.list)),
      body.subarray(end, end + length),
    ];
    const { list } = this;
    function* chunks() {
      yield Buffer.concat(own);
      yield* itemsOf(list);
      yield body.subarray(end + length);
    }
    Readable.from(chunks()).pipe(answer);
  }

  #upgrade(asked: IncomingMessage, socket: Duplex): void {
    const passed = this.#pass(asked);
    passed.on('error', () => socket.destroy());
    passed.on('response', () => socket.destroy());
    passed.on('upgrade', ({ statusCode, statusMessage, rawHeaders }, other) => {
      const headers = rawHeaders
        .map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`))
        .join('');
      socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${headers}\r\n`);
      other.pipe(socket).pipe(other);
      for (const end of [other, socket]) end.on('error', () => [other, socket].map((each) => each.destroy()));
    });
    passed.end();
  }
}
