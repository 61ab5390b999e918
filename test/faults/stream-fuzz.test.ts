import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startedOnce } from '../kit/started.ts';
import { opcodes, upgradeServer, type Way, ways, wire } from './raw-upgrades.ts';
import { execs, frame, fromPort, tunnels } from './streams.ts';
import { tally } from './tally.ts';

let answer = Buffer.alloc(0);
const server = startedOnce(() =>
  upgradeServer((socket, upgraded) => socket.end(Buffer.concat([upgraded, answer]))),
);

/** Every answer leads to a result that can be printed, and throws nothing. */
async function survives(way: Way, bytes: fc.Arbitrary<Uint8Array>, runs: number): Promise<void> {
  const property = fc.asyncProperty(bytes, async (each) => {
    answer = Buffer.from(each);
    const result = await ways[way](server);
    // A connection that ended has told what it had to tell: it never lasts until the timeout.
    // biome-ignore format: as many as fit on a line
    expect([
      'Exited', 'NoSuchProgram', 'NotThere', 'Undelivered', 'Unconfirmed', 'Answered', 'Closed',
      'NotListening',
    ]).toContain(result.kind);
    const text = 'message' in result ? result.message : 'output' in result ? result.output : '';
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    expect(text).not.toContain('--request-timeout');
    expect(text.length).toBeLessThan(1_200);
  });
  await fc.assert(property, { numRuns: runs });
  tally('badInputs', `${way} frames`, runs);
}

const bytes = fc.uint8Array({ maxLength: 300 });
const piece = fc.oneof(
  bytes,
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(text)),
);

/** Messages that are what they should be, hardly, or not at all. */
function messages(...proper: readonly (readonly Uint8Array[])[]): fc.Arbitrary<Uint8Array> {
  const odd = fc
    .tuple(fc.integer({ min: 0, max: 255 }), piece)
    .map(([channel, payload]) => frame(channel, payload));
  const message = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...proper.flat()) }, odd, piece);
  const header = fc.record({
    opcode: fc.constantFrom(opcodes.binary, opcodes.binary, opcodes.binary, ...Object.values(opcodes), 3, 15),
    isLast: fc.boolean(),
    compressed: fc.constantFrom(false, false, false, true),
  });
  const sent = fc.tuple(message, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, header));
  return fc
    .array(sent, { maxLength: 12 })
    .map((all) => Buffer.concat(all.map(([each, how]) => wire(each, how))));
}

// biome-ignore format: as many as fit on a line
const tokens = fc.constantFrom(
  'HTTP/1.1 ', 'HTTP/1.0 ', 'HTTP/', '200', ' 200 OK', '101 Switching', '100 Continue', '404', '\r\n', '\n',
  '\r', ' ', '\t', '\r\n\r\n', 'content-length: ', 'transfer-encoding: chunked', 'connection: upgrade',
  'upgrade: x', ': ', 'x', '-1', '5', '0\r\n\r\n', 'ffffffffffffffff', '\0', '\x7f', 'é',
  'x'.repeat(17_000), 'a: b\r\n'.repeat(300), ';', ',',
);
const http = fc.array(tokens, { maxLength: 25 }).map((all) => all.join(''));

describe('whatever comes back', () => {
  it.each(['exec', 'portforward'] as const)('of an upgrade for %s, no byte of it ends the sweep', (way) =>
    survives(way, bytes, 150),
  );

  it('of an exec, frame by frame', () => survives('exec', messages(execs.frames), 300));

  it('of a port-forward, frame by frame', () => survives('portforward', messages(tunnels.frames), 300));

  it('of a port, in words of HTTP', () =>
    survives(
      'portforward',
      fc
        .array(http, { maxLength: 3 })
        .map((parts) => Buffer.concat(fromPort(...parts).map((each) => wire(each)))),
      400,
    ));
});

const streams = [
  { way: 'exec', stream: execs, result: { kind: 'Exited', exitCode: 0, output: 'sent TERM to PID 1' } },
  { way: 'portforward', stream: tunnels, result: { kind: 'Answered', status: 200 } },
] as const;

it.each(streams)('B7: a connection for $way is read however it is cut', async ({ way, stream, result }) => {
  let cut = 0;
  let size = 1;
  const server = await upgradeServer(async (socket, upgraded) => {
    const bytes = Buffer.concat([upgraded, ...stream.frames.map((frame) => wire(frame))]);
    size = bytes.length;
    socket.write(bytes.subarray(0, cut));
    // A turn of the event loop, so that the rest arrives by itself.
    await setImmediate();
    socket.end(bytes.subarray(cut));
  });
  for (; cut <= size; cut++) expect([cut, await ways[way](server)]).toEqual([cut, result]);
  await server.stop();
  expect(size).toBeGreaterThan(200);
  tally('faults', 'B7', size + 1);
});
