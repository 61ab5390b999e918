import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { PodReader } from '../../src/kube/client/transport.ts';
import { findPods, listPods } from '../../src/kube/pods/read.ts';
import type { Problem } from '../../src/model/reading.ts';
import { readOf } from '../builders/transport.ts';
import { listOf, recorded, uids, whole } from './bodies.ts';
import { collect, type Listed, listAt, RawServer, unstopped } from './raw-server.ts';
import { tally } from './tally.ts';

const everywhere = { namespaces: [], labelSelector: undefined };
const lastPage = listOf([]);

/** Gives this page, every time that it is asked for, and then an empty last one. */
function transportOf(page: Buffer, size: number): PodReader {
  return {
    redact: (text) => text,
    read: readOf(async (_path, query) => {
      const body = query['continue'] ? lastPage : page;
      return { kind: 'Answered', status: 200, date: 0, body, retryAfter: undefined };
    }, size),
  };
}

const failures: readonly (Problem['kind'] | undefined)[] = ['Malformed', 'Unreachable', 'TimedOut'];

/** Whether neither a pod nor the failure was lost: all pods without a problem, or some pods with one. */
function isSound({ uids: given, problem }: Listed): boolean {
  const areKnown = given.every((uid) => uids.includes(uid)) && new Set(given).size === given.length;
  return areKnown && (problem ? failures.includes(problem.kind) : given.length === uids.length);
}

describe('A16: a recorded page, cut at every byte,', () => {
  const page = recorded;

  it.each([
    ['found', findPods, 4_096],
    ['paged', listPods, 997],
  ] as const)('is never fewer pods when they are %s, but a failed read', async (_title, list, size) => {
    const lost: number[] = [];
    const complete: number[] = [];
    for (let length = 0; length < page.length; length++) {
      const listed = await collect(list(transportOf(page.subarray(0, length), size), everywhere, unstopped));
      if (!isSound(listed)) lost.push(length);
      if (!listed.problem) complete.push(length);
    }
    expect(lost).toEqual([]);
    // Kubernetes writes two empty fields behind a list in protobuf, without which all of the list is there.
    expect(complete).toHaveLength(2);
    tally('badInputs', 'A16', page.length);
  });

  it('is whole if it is not cut, however it arrives', async () => {
    for (const size of [1, 2, 3, 7, 100, 65_536]) {
      const listed = await collect(findPods(transportOf(page, size), everywhere, unstopped));
      expect(listed).toEqual({ uids, malformed: 0, problem: undefined });
    }
  });
});

/** Ways to tell a body's end: its length is known, it comes in chunks, or the connection closes. */
const framings = {
  'by its length': (body: Buffer) => Buffer.concat([head(`content-length: ${body.length}`), body]),
  'in chunks': (body: Buffer) =>
    Buffer.concat([
      head('transfer-encoding: chunked'),
      Buffer.from(`${body.length.toString(16)}\r\n`),
      body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]),
  'by the end of the connection': (body: Buffer) => Buffer.concat([head('connection: close'), body]),
};

function head(field: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\n${field}\r\n\r\n`);
}

describe.each(Object.entries(framings))('A16: over a socket, an answer that ends %s', (_framing, frame) => {
  it('and breaks off is never fewer pods', async () => {
    const answer = frame(whole);
    const step = Math.ceil(answer.length / 60);
    let end = (socket: Socket) => void socket.end(bytes);
    let bytes = answer;
    const server = await RawServer.start((socket) => end(socket));
    const lost: number[] = [];
    const tryCuts = async (every: number) => {
      for (let length = 0; length < answer.length; length += every) {
        bytes = answer.subarray(0, length);
        if (!isSound(await listAt(server.url))) lost.push(length);
        tally('badInputs', 'A16', 1);
      }
    };
    await tryCuts(step);
    // By a reset, what was sent before may be lost as well.
    end = (socket) => void socket.write(bytes, () => socket.resetAndDestroy());
    await tryCuts(10 * step);
    expect(lost).toEqual([]);
    end = (socket) => void socket.end(bytes);
    bytes = answer;
    expect((await listAt(server.url)).uids).toEqual(uids);
    await server.stop();
  });
});
