import type { Socket } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { opcodes, upgradeServer, type Way, ways, wire } from './raw-upgrades.ts';
import { execs, frame, fromPort, tunnels } from './streams.ts';
import { tally } from './tally.ts';

const mebibyte = 1024 * 1024;
/** What may be in memory at once besides what was there: garbage that is not collected yet. */
const mostMemory = 160 * mebibyte;

type Serve = (socket: Socket) => Promise<number>;

/** What a server's flood leads to, how much of it is taken, and how much memory that takes at most; the server has one chunk, which it sends again and again. */
async function flooded(way: Way, serve: Serve, timeout = 60_000) {
  let sent: Promise<number> | undefined;
  const server = await upgradeServer((socket, upgraded) => {
    socket.write(upgraded);
    sent = serve(socket);
  });
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  const result = await ways[way](server, timeout);
  clearInterval(watch);
  await server.stop();
  return { result, memory: most - before, sent: (await sent) ?? 0 };
}

/** Sends as fast as it is read, until there were so many bytes or the other side hangs up. */
async function send(socket: Socket, chunk: Buffer, bytes = Number.POSITIVE_INFINITY): Promise<number> {
  let sent = 0;
  for (; sent < bytes && !socket.destroyed; sent += chunk.length) {
    await new Promise((resolve) => void socket.write(chunk, resolve));
  }
  return sent;
}

function expectLittle(memory: number): void {
  expect(memory).toBeLessThan(mostMemory);
  tally('faults', 'B5', 1);
}

const many = (message: Buffer) =>
  Buffer.concat(Array.from({ length: Math.ceil(mebibyte / message.length) }, () => message));
const output = many(wire(frame(1, 'x'.repeat(32 * 1024 - 1))));
const errors = many(wire(frame(2, 'é'.repeat(16 * 1024))));
const status = wire(execs.frames[2] ?? '');
const bomb = deflateRawSync(Buffer.alloc(200 * mebibyte, 1));

it.each<readonly [title: string, chunk: Buffer, bytes: number]>([
  ['output', output, 256 * mebibyte],
  ['errors', errors, 128 * mebibyte],
  ['both by turns', Buffer.concat([output, errors]), 128 * mebibyte],
  ['empty frames', many(wire('')), 2 * mebibyte],
  ['single bytes', many(wire(frame(1, 'x'))), 4 * mebibyte],
  ['an unknown channel', many(wire(frame(200, 'x'.repeat(32_000)))), 256 * mebibyte],
])('B5: an exec that floods with %s is read to its status in little memory', async (_title, chunk, bytes) => {
  const { result, memory } = await flooded('exec', async (socket) => {
    const sent = await send(socket, chunk, bytes);
    socket.end(status);
    return sent;
  });
  expect(result).toMatchObject({ kind: 'Exited', exitCode: 0 });
  expectLittle(memory);
});

/** Far more than the longest frame that is read, and than what is on its way. */
const mostSent = 24 * mebibyte;

// biome-ignore format: one row a line
const endless: readonly (readonly [title: string, start: Buffer, chunk: Buffer])[] = [
  ['a frame of 100 MiB', wire('', { length: 100 * mebibyte }), output],
  ['a frame of 8 EiB', wire('', { length: 2 ** 62 }), output],
  ['a frame of fragments without end', wire('x', { isLast: false }), many(wire('x'.repeat(1_000), { opcode: opcodes.continuation, isLast: false }))],
  ['a frame of empty fragments without end', wire('x', { isLast: false }), many(wire('', { opcode: opcodes.continuation, isLast: false }))],
  ['a compressed frame without an agreement', wire(bomb, { compressed: true }), output],
  ['a frame that is masked', Buffer.from([0x82, 0x81, 0, 0, 0, 0, 1]), output],
  ['a frame of an unknown kind', wire('x', { opcode: 7 }), output],
  ['a control frame that is too long', wire('x'.repeat(200), { opcode: opcodes.ping }), output],
];

describe.each(['exec', 'portforward'] as const)('B5: a connection for %s', (what) => {
  it.each(endless)('ends at %s, and proves nothing', async (_title, start, chunk) => {
    const { result, memory, sent } = await flooded(
      what,
      (socket) => {
        socket.write(start);
        return send(socket, chunk);
      },
      20_000,
    );
    expect(['Unconfirmed', 'Closed']).toContain(result.kind);
    expect(sent).toBeLessThan(mostSent);
    expectLittle(memory);
  });

  const hints = many(wire(frame(0, 'HTTP/1.1 103 Early Hints\r\n\r\n')));
  const pings = many(wire('x'.repeat(100), { opcode: opcodes.ping }));

  it.each([
    ['what it carries', what === 'exec' ? output : hints],
    ['pings', pings],
  ])('that floods with %s until the timeout takes little memory', async (_title, chunk) => {
    const { result, memory, sent } = await flooded(what, (socket) => send(socket, chunk), 3_000);
    expect(['Unconfirmed', 'Closed']).toContain(result.kind);
    if (chunk === hints) expect(sent).toBeLessThan(mostSent);
    expectLittle(memory);
  });
});

const messages = (frames: readonly Uint8Array[]) => Buffer.concat(frames.map((each) => wire(each)));

// biome-ignore format: one row a line
it.each<readonly [title: string, start: Buffer, chunk: Buffer, result: object]>([
    ['head', messages(fromPort('HTTP/1.1 200 OK\r\n')), many(wire(frame(0, `x: ${'y'.repeat(1_000)}\r\n`))), { kind: 'Closed' }],
    ['status line', messages(fromPort('HTTP/1.1 200 ')), many(wire(frame(0, 'x'.repeat(1_000)))), { kind: 'Closed' }],
    ['body', messages(tunnels.frames), many(wire(frame(0, 'x'.repeat(32_000)))), { kind: 'Answered', status: 200 }],
    ['error', messages(fromPort()), many(wire(frame(1, 'x'.repeat(32_000)))), { kind: 'NotListening' }],
  ])('B5: a port with an endless %s is not read to the end', async (_title, start, chunk, expected) => {
    const { result, memory } = await flooded('portforward', (socket) => {
      socket.write(start);
      return send(socket, chunk);
    });
    expect(result).toMatchObject(expected);
    expectLittle(memory);
  });
