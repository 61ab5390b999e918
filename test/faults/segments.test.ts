import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { upgradeServer, ways, wire } from './raw-upgrades.ts';
import { execs, tunnels } from './streams.ts';
import { tally } from './tally.ts';

const streams = [
  { way: 'exec', stream: execs, result: { kind: 'Exited', exitCode: 0, output: 'sent TERM to PID 1' } },
  { way: 'portforward', stream: tunnels, result: { kind: 'Answered', status: 200 } },
] as const;

it.each(streams)(
  'B7: a connection for $way is read however its bytes are cut, even all at once with the upgrade',
  async ({ way, stream, result }) => {
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
    server.stop();
    expect(size).toBeGreaterThan(200);
    tally('faults', 'B7', size + 1);
  },
);
