import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { OpenCluster } from '../../src/kube/cluster.ts';
import { readRetries } from '../../src/util/retry.ts';
import { startedOnce } from '../kit/started.ts';
import { almostLists, nothing, uids, whole } from './bodies.ts';
import { type Answering, collect, listAt, openAt, RawServer, token, unstopped, wire } from './raw-server.ts';
import { tally } from './tally.ts';

type Calls = Readonly<Record<string, (cluster: OpenCluster) => Promise<unknown>>>;

const everywhere = { namespaces: [], labelSelector: undefined };
const ref = { namespace: 'demo', name: 'pod', uid: 'uid-1' };
const owner = { group: 'batch', kind: 'Job', name: 'job', uid: 'uid-2' };
const cronJob = { kind: 'CronJob', name: 'job', uid: 'uid-3' } as const;
const lease = { namespace: 'demo', name: 'lease' };
const written = { holder: 'me', duration: 1_000, renewedAt: 0, resourceVersion: '1' };
const asked = { method: 'POST', port: 15_020, path: '/quit', headers: {}, statuses: [] };

async function listed(parts: ReturnType<OpenCluster['findPods']>): Promise<string> {
  const { uids, problem } = await collect(parts);
  return problem?.kind ?? `${uids.length} pods`;
}

const reads: Calls = {
  'the list that finds pods': (cluster) => listed(cluster.findPods(everywhere, unstopped)),
  'the list of pods that are awaited': (cluster) => listed(cluster.listPods(everywhere, unstopped)),
  'the pods of a Job': (cluster) => cluster.listJobPods('demo', owner, unstopped),
  'a pod': (cluster) => cluster.readPod(ref, unstopped),
  'a pod by its name': (cluster) => cluster.readPod({ namespace: 'demo', name: 'pod' }, unstopped),
  'a Job': (cluster) => cluster.readJob('demo', owner, unstopped),
  Jobs: (cluster) => cluster.listJobs('demo', undefined, unstopped),
  'a namespace': (cluster) => cluster.readNamespace('demo', unstopped),
  namespaces: (cluster) => cluster.listNamespaces('team=a', undefined, unstopped),
  'a node': (cluster) => cluster.readNode('node', unstopped),
  nodes: (cluster) => cluster.listNodes(undefined, unstopped),
  kubelets: (cluster) => cluster.listKubelets(unstopped),
  'the template of a CronJob': (cluster) => cluster.readTemplate('demo', cronJob, unstopped),
  'a permission': (cluster) => cluster.mayI({ verb: 'list', group: '', resource: 'pods' }, unstopped),
  'a lease': (cluster) => cluster.readLease(lease, unstopped),
};

const renewal: Calls = { 'a renewed lease': (cluster) => cluster.updateLease(lease, written, unstopped) };

const writes: Calls = {
  ...renewal,
  'a new lease': (cluster) => cluster.createLease(lease, written, unstopped),
  'a deletion': (cluster) => cluster.deletePod(ref, unstopped),
  'an eviction': (cluster) => cluster.evict(ref, unstopped),
  'a patch': (cluster) => cluster.setDeadline(ref, unstopped),
};

const steps: Calls = {
  'an image swap': (cluster) =>
    cluster.swapImages(ref, [{ container: 'sidecar', image: 'noop' }], { dryRun: false }, unstopped),
  'an exec': (cluster) => cluster.exec(ref, 'sidecar', ['kill', '1'], unstopped),
  'a port-forward': (cluster) => cluster.request(ref, asked, unstopped),
};

/** What came of each call, of which these kinds were not expected. */
async function unexpected(
  calls: Calls,
  cluster: OpenCluster,
  expected: readonly unknown[],
): Promise<readonly string[]> {
  const results = Object.entries(calls).map(async ([what, call]) => {
    const result = await call(cluster);
    const kind = typeof result === 'object' ? Object(result).kind : result;
    return expected.includes(kind) ? [] : [`${what}: ${kind}`];
  });
  return (await Promise.all(results)).flat();
}

const numberOf = (some: Calls) => Object.keys(some).length;

/** Undefined is what the pods of a Job are if they are unknown. */
const unread = ['Malformed', 'TooLarge', 'Unreadable', 'Unknown', 'Failed', undefined];

const headers = [
  '',
  'content-type: application/json\r\n',
  'content-type: text/html\r\ncontent-encoding: gzip\r\n',
];

describe('A16: nothing that the API answers with is taken for nothing, and almost a list of pods for no list:', () => {
  let answer = wire('');
  const server = startedOnce(() => RawServer.start((socket) => socket.write(answer)));
  const calls = { ...reads, ...renewal };

  it.each(Object.entries({ ...nothing, ...almostLists }))('%s', async (_title, body) => {
    const cluster = await openAt(server.url);
    for (const header of headers) {
      answer = wire(body, { headers: header });
      expect(await unexpected(calls, cluster, unread), header).toEqual([]);
    }
    await cluster.close();
    tally('badInputs', 'A16', headers.length * numberOf(calls));
  });
});

/** In milliseconds. Nothing here is answered, so that a slow machine changes nothing but how much arrives. */
const timeout = 1_500;
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Writes one byte after the other for as long as they are read, many in the time that a request may take. */
function drip(socket: Socket, bytes: Buffer): void {
  let at = 0;
  const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), timeout / 50);
  socket.once('close', () => clearInterval(timer));
}

const ways: Readonly<Record<string, (socket: Socket) => void>> = {
  'never answers': () => undefined,
  'sends half a status line': (socket) => void socket.write('HTTP/1.1 20'),
  'sends headers without end': (socket) => drip(socket, Buffer.from(head + 'x: y\r\n'.repeat(10_000))),
  'sends a head and nothing else': (socket) => void socket.write(`${head}content-length: 1000\r\n\r\n`),
  'stalls in the body': (socket) =>
    void socket.write(`${head}content-length: 10000\r\n\r\n{"kind":${' '.repeat(5_000)}`),
  'stalls in a chunk': (socket) =>
    void socket.write(`${head}transfer-encoding: chunked\r\n\r\nff\r\n{"kind":`),
  'sends a byte now and then': (socket) => drip(socket, Buffer.from(`${head}\r\n${' '.repeat(10_000)}`)),
  'sends a byte of protobuf now and then': (socket) =>
    drip(socket, Buffer.concat([Buffer.from(`${head}\r\n`), whole])),
  'sends 1xx now and then': (socket) =>
    drip(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100))),
};

const unanswered = ['TimedOut', 'Unreadable', 'Unknown', 'Unconfirmed', 'Failed', undefined];
/** The cluster at a server that does this is closed, and no socket is left behind. */
async function stalledBy(
  way: (socket: Socket) => void,
  scheme: 'http:' | 'https:',
  ask: (cluster: OpenCluster) => Promise<void>,
): Promise<readonly string[]> {
  const server = await RawServer.start(way);
  const cluster = await openAt(server.url.replace('http:', scheme), timeout);
  await ask(cluster);
  await cluster.close();
  while (server.open.size > 0) await setImmediate();
  await server.stop();
  return server.requests;
}

it('A15: a server that never ends its answer is given up in time, whatever is asked and however it stalls', async () => {
  const calls = { ...reads, ...writes };
  const expectGivenUp = async ([title, way]: [string, (socket: Socket) => void]) => {
    const requests = await stalledBy(way, 'http:', async (cluster) => {
      expect(await unexpected(calls, cluster, unanswered), title).toEqual([]);
    });
    // A write may have taken place, so it is never sent again; a read is, but not for ever.
    const sent = requests.filter((request) => /^GET |selfsubjectaccessreviews/.test(request)).length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(numberOf(reads) * readRetries.mostTries);
    expect(requests.length - sent, title).toBeLessThanOrEqual(numberOf(writes));
    tally('faults', 'A15', numberOf(calls));
  };
  await Promise.all(Object.entries(ways).map(expectGivenUp));
});

it('A15: a port that accepts and never speaks TLS is given up in time', async () => {
  await stalledBy(
    () => undefined,
    'https:',
    async (cluster) => {
      const read = await cluster.readNode('node', unstopped);
      expect(read).toMatchObject({ kind: 'Unreadable', problem: { kind: 'TimedOut' } });
    },
  );
  tally('faults', 'A15', 1);
});

// biome-ignore format: as many as fit on a line
const statuses = [
  '300 Multiple Choices', '301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent',
];
// biome-ignore format: as many as fit on a line
const failed = [
  'Rejected', 'Unreadable', 'Unknown', 'Refused', 'Undelivered', 'Unconfirmed', 'Failed', undefined,
];

it('A18: whatever is redirected to another host goes nowhere else, takes no token there, and has failed', async () => {
  const elsewhere = await RawServer.start((socket) => socket.write(wire('{}')));
  let answer = wire('');
  const server = await RawServer.start((socket) => socket.end(answer));
  const calls = { ...reads, ...writes, ...steps };
  const locations = [elsewhere.url, `//${elsewhere.host}/api/v1/pods`, `http://x:y@${elsewhere.host}/`];
  for (const status of statuses) {
    for (const location of locations) {
      answer = wire('{}', { status, headers: `location: ${location}\r\nconnection: close\r\n` });
      const cluster = await openAt(server.url);
      expect(await unexpected(calls, cluster, failed), status).toEqual([]);
      await cluster.close();
    }
  }
  expect(server.requests.join('')).toContain(token);
  expect(elsewhere.connections).toBe(0);
  await server.stop();
  await elsewhere.stop();
  tally('faults', 'A18', statuses.length * locations.length * numberOf(calls));
});

async function listFrom(answering: Answering) {
  const server = await RawServer.start(answering);
  const listed = await listAt(server.url);
  await server.stop();
  return { listed, requests: server.requests };
}

/** As the API server cuts them: 4,096 characters in all, here with four bytes each. */
const longestWarnings = `warning: 299 - "${'\u{1f6a8}'.repeat(4_096)}"\r\n`;

describe('A18: before the answer that counts,', () => {
  it.each<readonly [title: string, before: string, headers: string]>([
    ['a Warning', '', 'warning: 299 - "v1 Pod is deprecated"\r\n'],
    ['a hundred Warnings', '', 'warning: 299 - "deprecated"\r\n'.repeat(100)],
    ['the longest Warnings that the API server sends', '', longestWarnings],
    ['a Warning in no form', '', 'warning: , 299, "\r\n'],
    ['two dates', '', 'date: Sat, 21 Nov 2026 04:00:00 GMT\r\ndate: never\r\n'],
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n', ''],
    ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n', ''],
    ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n', ''],
    ['fifty answers of 1xx', 'HTTP/1.1 199 Wait\r\n\r\n'.repeat(50), ''],
  ])('%s changes nothing', async (_title, before, headers) => {
    const { listed } = await listFrom((socket) =>
      socket.write(Buffer.concat([Buffer.from(before), wire(whole, { headers })])),
    );
    expect(listed).toEqual({ uids, malformed: 0, problem: undefined });
    tally('faults', 'A18', 1);
  });

  // biome-ignore format: one row a line
  it.each([
    ['an upgrade that was not asked for', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nx'],
    ['headers of a megabyte', `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(1_048_576)}\r\n\r\n`],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('%s ends the read at once, and it is not tried again', async (_title, bytes) => {
    const { listed, requests } = await listFrom((socket) => socket.write(bytes));
    expect(listed).toMatchObject({ uids: [], problem: { kind: 'Unreachable' } });
    expect(requests).toHaveLength(1);
    tally('faults', 'A18', 1);
  });
});
