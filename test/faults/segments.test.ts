import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { exec } from '../../src/kube/socket/exec.ts';
import { requestThroughPod } from '../../src/kube/socket/tunnel.ts';
import { rawServer, wire } from './raw-server.ts';
import { execs, tunnels } from './streams.ts';
import { tally } from './tally.ts';

const pod = { namespace: 'demo', name: 'work', uid: 'uid-1' };
const asked = { method: 'POST', path: '/quitquitquit', port: 15_020, headers: {}, statuses: [] };
const { signal } = new AbortController();
const limit = 60_000;

const streams = [
  {
    what: 'an exec',
    stream: execs,
    send: (to: Awaited<ReturnType<typeof rawServer>>) =>
      exec(to.transport, pod, 'sidecar', ['true'], limit, signal),
    result: { kind: 'Exited', exitCode: 0, output: 'sent TERM to PID 1' },
  },
  {
    what: 'a request through a port-forward',
    stream: tunnels,
    send: (to: Awaited<ReturnType<typeof rawServer>>) =>
      requestThroughPod(to.transport, pod, asked, limit, signal),
    result: { kind: 'Answered', status: 200 },
  },
];

it.each(streams)(
  'B7: $what is read however its bytes are cut, even all at once with the upgrade',
  async ({ stream, send, result }) => {
    let cut = 0;
    let size = 1;
    const server = await rawServer(async (socket, upgraded) => {
      const bytes = Buffer.concat([upgraded, ...stream.frames.map((frame) => wire(frame))]);
      size = bytes.length;
      socket.write(bytes.subarray(0, cut));
      // A turn of the event loop, so that the rest arrives by itself.
      await setImmediate();
      socket.end(bytes.subarray(cut));
    });
    for (; cut <= size; cut++) expect([cut, await send(server)]).toEqual([cut, result]);
    server.stop();
    expect(size).toBeGreaterThan(200);
    tally('faults', 'B7', size + 1);
  },
);
