import { afterEach, describe, expect, it } from 'vitest';
import { uids, whole } from './bodies.ts';
import { type Answering, listAt, RawServer, wire } from './raw-server.ts';
import { tally } from './tally.ts';

let server: RawServer | undefined;
afterEach(() => server?.stop());

async function listFrom(answering: Answering) {
  server = await RawServer.start(answering);
  return listAt(server.url);
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
    const listed = await listFrom((socket) =>
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
    const listed = await listFrom((socket) => socket.write(bytes));
    expect(listed).toMatchObject({ uids: [], problem: { kind: 'Unreachable' } });
    expect(server?.requests).toHaveLength(1);
    tally('faults', 'A18', 1);
  });
});
