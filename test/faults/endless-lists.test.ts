import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { bounds } from '../../src/model/bounds.ts';
import { kubeconfigOf } from '../builders/kubeconfig.ts';
import { runHere } from '../kit/run-here.ts';
import { fileIn, temporaryFolder } from '../kit/started.ts';
import { items, listOf, uids, whole } from './bodies.ts';
import { listAt, RawServer, wire } from './raw-server.ts';
import { tally } from './tally.ts';

const folder = temporaryFolder('endless');
let server: RawServer;
afterEach(() => server.stop());

const [first] = items;
const page = (token: string | undefined, pods: readonly unknown[] = items) =>
  wire(listOf(pods, { continue: token }));

/** Serves a page for each request, by how many came before it. */
async function serve(answer: (index: number, request: string) => Buffer): Promise<void> {
  let index = 0;
  server = await RawServer.start((socket, request) => socket.write(answer(index++, request)));
}

describe('A17: a list that the server continues without end is a failed read', () => {
  const cycles = [1, 2, 3, 5, 20].flatMap((length) => [
    { length, pods: items },
    { length, pods: [] },
  ]);

  it.each(cycles)('with $length tokens in turn is found out in one round', async ({ length, pods }) => {
    await serve((index) => page(`token-${index % length}`, pods));
    const listed = await listAt(server.url);
    const message = expect.stringContaining('without end');
    expect(listed.problem).toMatchObject({ kind: 'Malformed', message });
    expect(listed.uids).toEqual(pods.length > 0 ? uids : []);
    // The first list, and after it one round and its repetition.
    expect(server.requests.length).toBeLessThanOrEqual(length + 2);
    tally('faults', 'A17', 1);
  });

  it('with ever new tokens, in thousands of requests and no more', async () => {
    await serve((index) => page(`token-${index}`, index % 2 === 0 ? [first] : []));
    expect(await listAt(server.url)).toMatchObject({
      uids: uids.slice(0, 1),
      problem: { kind: 'Malformed' },
    });
    expect(server.requests.length).toBeLessThanOrEqual(2_001);
    tally('faults', 'A17', 1);
  });
});

describe('A17: pages that something in between makes of its own accord', () => {
  it('are read on over empty ones, to the last', async () => {
    const pages = [[], [first], [], [], items.slice(1), []];
    await serve((index) => page(index < 5 ? `token-${index}` : undefined, pages[index]));
    expect(await listAt(server.url)).toEqual({ uids, malformed: 0, problem: undefined });
    expect(server.requests).toHaveLength(6);
    tally('faults', 'A17', 1);
  });

  it('and of which the server ignores the token give every pod once, and fail', async () => {
    await serve(() => page('more'));
    expect(await listAt(server.url)).toMatchObject({ uids, problem: { kind: 'Malformed' } });
    tally('faults', 'A17', 1);
  });
});

const head = 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n';

function pour(socket: Socket, chunks: Iterable<string | Uint8Array>): void {
  socket.write(head);
  Readable.from(chunks).pipe(socket);
}

/** The recorded list up to its length, which is one of 4 GiB, and then one field of a quarter of that. */
function* endlessPage(): Generator<Uint8Array> {
  const longest = [0xff, 0xff, 0xff, 0xff, 0x0f];
  const long = [0x80, 0x80, 0x80, 0x80, 0x04];
  const typeEnd = 6 + (whole[5] ?? 0);
  yield Buffer.from([...whole.subarray(0, typeEnd), 0x12, ...longest, 0x7a, ...long]);
  const zeros = Buffer.alloc(256 * 1024);
  for (;;) yield zeros;
}

describe('A17: a server that ignores the limit', () => {
  it('and sends 50 MB of pods at once is read as they come', async () => {
    const many = Array.from({ length: 7_500 }, (_, index) => ({
      ...first,
      metadata: { ...first?.metadata, uid: `uid-${index}` },
    }));
    await serve(() => wire(listOf(many)));
    const listed = await listAt(server.url);
    expect(listed.problem).toBeUndefined();
    expect(new Set(listed.uids).size).toBe(many.length);
    tally('faults', 'A17', 1);
  });

  it('and sends a page without an end is given up', async () => {
    const expired = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 };
    const gone = wire(JSON.stringify(expired), { status: '410 Gone' });
    server = await RawServer.start((socket, request) => {
      if (request.includes('limit=')) pour(socket, endlessPage());
      else socket.write(gone);
    });
    const { problem } = await listAt(server.url);
    expect(problem).toMatchObject({ kind: 'TooLarge' });
    expect(server.requests.map((request) => /limit=(\d+)/.exec(request)?.[1])).toEqual([undefined, '500']);
    tally('faults', 'A17', 1);
  });
});

it.each([
  ['the same token', 1],
  ['ever new tokens', Number.POSITIVE_INFINITY],
])('A17: namespaces that a shell completes end, though a server goes on with %s', async (_title, tokens) => {
  await serve((index) => {
    const metadata = { continue: `token-${index % tokens}` };
    const items = [{ metadata: { name: `ns-${index}` } }];
    return wire(JSON.stringify({ kind: 'NamespaceList', apiVersion: 'v1', metadata, items }));
  });
  const text = JSON.stringify(kubeconfigOf({ server: server.url }));
  const kubeconfig = fileIn(folder, 'kubeconfig', text);
  const env = { KUBECONFIG: kubeconfig, SIDECAR_SWEEPER_COMPLETION_TIMEOUT: '1m' };
  const run = await runHere(['__complete', 'scan', '-n', ''], env);
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toMatch(/^ns-0\nns-1\n/);
  expect(server.requests.length).toBeLessThanOrEqual(bounds.pages);
  tally('faults', 'A17', 1);
});
