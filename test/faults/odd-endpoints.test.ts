import { describe, expect, it } from 'vitest';
import type { PolicyFlags } from '../../src/policy/policy.ts';
import type { FaultAction } from '../kit/emulator/index.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { aboutPort, fromPort, type Stumble, stumble, tunnels } from './streams.ts';

const cluster = FaultyCluster.startedOnce();

const deletes: Partial<PolicyFlags> = { lastResort: ['delete'], uncleanExit: 'allow' };

type Frames = Extract<FaultAction, { kind: 'Frames' }>;

/** What a port answers, whether the connection ends after it or stays open. */
function answering(
  all: readonly (readonly Uint8Array[])[],
  ends: readonly ('Close' | 'StayOpen')[] = ['Close', 'StayOpen'],
): readonly Frames[] {
  return all.flatMap((frames) => ends.map((kind) => ({ kind: 'Frames', frames, end: { kind } })));
}

/** Plays each of these, of which the same comes; with or without a deletion in the end. */
async function play(
  actions: readonly FaultAction[],
  more: Omit<Stumble, 'stream' | 'action'>,
  isDeleted = false,
): Promise<void> {
  const cases = actions.map((action) => ({ ...more, stream: tunnels, action }));
  for (const { requests } of await stumble(cluster, 'B11', cases)) {
    expect(requests.some(({ verb, name }) => verb === 'delete' && name === 'pod-1')).toBe(isDeleted);
  }
}

const forwarding = 'error forwarding port 15020 to pod 6b79, uid : ';
const namespace = 'failed to execute portforward in network namespace "/var/run/netns/cni-1": ';
const refused = 'dial tcp4 127.0.0.1:15020: connect: connection refused';
const http = (status: number, ...headers: readonly string[]) =>
  [`HTTP/1.1 ${status} Whatever`, ...headers, '', ''].join('\r\n');
const bytewise = (text: string) => Array.from(text);

const noEndpoint: readonly (readonly Uint8Array[])[] = [
  aboutPort(
    `${forwarding}${namespace}failed to connect to localhost:15020 inside namespace "6b79", IPv4: ${refused} `,
  ),
  aboutPort(`${forwarding}network namespace for sandbox "6b79" is closed`),
  aboutPort('unable to do port forwarding: socat not found.'),
  aboutPort('\n'),
  aboutPort('x'.repeat(100_000)),
  ...['SSH-2.0-OpenSSH_9.6\r\n', '\x15\x03\x01\x00\x02\x02\x46', '\0\0\x06\x04\0\0\0\0\0\0\x05\0\0@\0'].map(
    (each) => fromPort(each),
  ),
  ...[101, 300, 304, 400, 401, 403, 404, 405, 418, 429].map((status) => fromPort(http(status))),
  ...[301, 302, 307, 308].map((status) => fromPort(http(status, 'location: http://127.0.0.1:1/quit'))),
  fromPort(http(101, 'connection: upgrade', 'upgrade: h2c')),
];

const failing = [500, 502, 503, 504, 999].map((status) => fromPort(http(status)));

const accepted: readonly (readonly Uint8Array[])[] = [
  ...[200, 202, 204, 299].map((status) => fromPort(http(status))),
  fromPort(...bytewise(http(200, 'content-length: 3')), 'OK\n'),
  fromPort(http(100), http(103, 'link: </a>'), http(200)),
  fromPort(http(200, 'transfer-encoding: chunked'), 'zz\r\nnot a chunk'),
  fromPort(http(200, 'transfer-encoding: chunked'), 'ffffffff\r\nshort'),
  fromPort(http(200, 'transfer-encoding: chunked'), '1;x=y\r\na\r\n0\r\ntrailer: x\r\n\r\n'),
  fromPort(http(200, 'content-length: 999999999'), 'short'),
  fromPort(http(200), ...Array.from({ length: 50 }, () => 'x'.repeat(32_000))),
  fromPort(http(200), 'HTTP/1.1 500 A second answer\r\n\r\n'),
  fromPort(http(200, 'connection: upgrade', 'upgrade: h2c')),
];

/** The port had a connection, and what it answered is no answer. */
const unclear: readonly (readonly Uint8Array[])[] = [
  aboutPort(
    `${forwarding}${namespace}read tcp4 127.0.0.1:4->127.0.0.1:15020: read: connection reset by peer`,
  ),
  aboutPort(`${forwarding}${namespace}write tcp4 127.0.0.1:4->127.0.0.1:15020: write: broken pipe`),
  fromPort(http(200, `x: ${'y'.repeat(20_000)}`)),
  fromPort(http(200, 'content-length: 1', 'transfer-encoding: chunked')),
  fromPort(http(200, 'content-length: -1')),
  fromPort('HTTP/1.1 abc\r\n\r\n'),
  fromPort('HTTP/9.9 200 OK\r\n\r\n'),
];

describe('B11: a port', () => {
  it('without an endpoint leaves it to the next method', async () => {
    const attempts = ['Unsupported', 'NoSuchProgram', 'NoSuchProgram'];
    await play(answering(noEndpoint), { outcome: 'StillRunning NoSuchProgram', attempts });
    await play(answering(noEndpoint, ['Close']), { flags: deletes, outcome: 'Gone' }, true);
  });

  it('whose server fails may have begun to quit, and gets its time', async () => {
    await play(answering(failing), { arrives: true, outcome: 'Stopped 0', attempts: ['Failed'] });
    const attempts = ['Failed', 'NoSuchProgram', 'NoSuchProgram'];
    await play(answering(failing), { outcome: 'StillRunning Outlived', attempts });
  });

  it('that accepts is believed when the sidecar has ended, whatever follows its head', async () => {
    const ends = { flags: deletes, arrives: true, outcome: 'Stopped 0', attempts: ['Accepted'] };
    await play(answering(accepted), ends);
    await play(answering(accepted), { outcome: 'StillRunning Outlived' });
  });

  it('that answers late is waited for', async () => {
    const actions = [200, 1_000].map((milliseconds) => ({ kind: 'Delay', milliseconds }) as const);
    await play(actions, { flags: deletes, outcome: 'Stopped 0' });
  });

  it.each([
    { arrives: true, outcome: 'Stopped 0', attempts: ['Unconfirmed'] },
    { arrives: false, outcome: 'Unproven', attempts: ['Unconfirmed', 'Unconfirmed'] },
  ])('whose connection broke leads to nothing harsher; it got the request: $arrives', async (told) => {
    await play(answering(unclear), { flags: deletes, ...told });
  });
});
