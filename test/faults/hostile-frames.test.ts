import { describe, it } from 'vitest';
import type { FaultAction } from '../kit/emulator/index.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import {
  closing,
  execs,
  exited,
  frame,
  type Stream,
  type Stumble,
  stumble,
  success,
  tunnels,
} from './streams.ts';

const cluster = FaultyCluster.startedOnce();

type Odd = string | Uint8Array;

/** The sidecar got the request, and the answer says so. */
const asUsual = (stream: Stream, action: FaultAction): Stumble => ({
  ...{ stream, action, arrives: true, outcome: 'Stopped 0', attempts: ['Accepted'] },
});

/** The answer says nothing that can be read: only the pod shows whether the sidecar got the request. */
const unclear = (stream: Stream, action: FaultAction): readonly Stumble[] => [
  { stream, action, arrives: true, outcome: 'Stopped 0', attempts: ['Unconfirmed'] },
  { stream, action, arrives: false, outcome: 'Unproven', attempts: ['Unconfirmed', 'Unconfirmed'] },
];

const oddities: readonly (readonly [title: string, odd: Odd])[] = [
  ['that is empty', Buffer.alloc(0)],
  ['that closes stdout, as v5 may', frame(255, '\x01')],
  ['of an unknown channel', frame(9, 'x'.repeat(1_000))],
  ['of an error before anything', frame(4)],
  ['of text', '\x03{"status":"Success"}'],
  ['of invalid UTF-8', frame(7, Buffer.from([0xff, 0xfe, 0xc0]))],
];

describe.each([execs, tunnels])('B6: a frame for $subresource', (stream) => {
  it.each(oddities)('%s changes nothing, wherever it comes', async (_title, odd) => {
    const cases = [...stream.frames, undefined].map((_next, at) => {
      const frames: readonly Odd[] = stream.frames;
      return asUsual(stream, closing(frames.toSpliced(at, 0, odd)));
    });
    await stumble(cluster, 'B6', cases);
  });
});

const status = (value: unknown) => frame(3, typeof value === 'string' ? value : JSON.stringify(value));

describe('B6: a status', () => {
  // biome-ignore format: as many as fit on a line
  const unreadable: readonly Uint8Array[] = [
    ...['', ' ', '<html>', 'null', '[]', '7', '"Success"', '{"status":', '\ufeff{"status":"Success"}'].map(status),
    ...[[{ status: 'Success' }], {}, { status: 'Pending' }, { status: ['Success'] }, { Status: 'Success' }].map(status),
    ...[{ status: 'Failure' }, { status: 'Failure', reason: 'NonZeroExitCode' }].map(status),
    ...['seven', '', '256', '-1', 3, null, ['1']].map((code) => exited(code)),
    status(`${'['.repeat(100_000)}`),
    status({ status: 'Failure', message: 'x'.repeat(200_000) }),
    // More than a frame may have.
    status({ status: 'Success', message: 'x'.repeat(300_000) }),
  ];

  it('that cannot be read proves nothing: the pod does', async () => {
    const actions = unreadable.map((each) => closing([...execs.frames.slice(0, 2), each]));
    const cases = actions.flatMap((action) => unclear(execs, action));
    await stumble(cluster, 'B6', cases);
  });

  it('is the first one, whatever comes after it', async () => {
    const [empty = frame(1), sent = frame(1)] = execs.frames;
    // biome-ignore format: as many as fit on a line
    const rests = [
      [exited('1')], [success, success], [status('<html>')], [frame(1, 'immune no'), success], [frame(255)],
    ];
    const cases = rests.map((rest) => asUsual(execs, closing([empty, sent, success, ...rest])));
    await stumble(cluster, 'B6', cases);
  });
});

describe.each([execs, tunnels])('B8: an upgrade for $subresource', (stream) => {
  it('to v4 is as good as one to v5', async () => {
    await stumble(cluster, 'B8', [
      asUsual(stream, { ...closing(stream.frames), protocol: 'v4.channel.k8s.io' }),
    ]);
  });

  it.each(['', 'v9.channel.k8s.io', 'SPDY/3.1+portforward.k8s.io', 'base64.channel.k8s.io'])(
    'to the subprotocol "%s" may have arrived, and says no more',
    async (protocol) => {
      await stumble(cluster, 'B8', unclear(stream, { ...closing(stream.frames), protocol }));
    },
  );
});
