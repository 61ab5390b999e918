import { describe, expect, it } from 'vitest';
import type { FaultAction } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { execs, frame, type Stream, stumble, success, tunnels } from './streams.ts';

const cluster = startedOnce(() => FaultyCluster.start());

type Odd = string | Uint8Array;

const closing = (frames: readonly Odd[], protocol?: string): FaultAction => ({
  ...{ kind: 'Frames', frames, end: { kind: 'Close' } },
  ...(protocol !== undefined && { protocol }),
});

interface Case {
  readonly action: FaultAction;
  readonly arrives: boolean;
}

/** The outcome and the attempts of each case, in order. */
async function playAll(row: string, stream: Stream, cases: readonly Case[]) {
  const told = await stumble(
    cluster,
    row,
    cases.map((one) => ({ stream, ...one })),
  );
  return told.map(({ outcome, attempts }) => ({ outcome, attempts }));
}

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
      const frames = [...stream.frames.slice(0, at), odd, ...stream.frames.slice(at)];
      return { action: closing(frames), arrives: true };
    });
    for (const one of await playAll('B6', stream, cases)) {
      expect(one).toEqual({ outcome: 'Stopped 0', attempts: ['Accepted'] });
    }
  });
});

const status = (value: unknown) => frame(3, typeof value === 'string' ? value : JSON.stringify(value));
const exitCode = (message: unknown) =>
  status({
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message }] },
  });

describe('B6: a status', () => {
  const unreadable: readonly Uint8Array[] = [
    ...['', ' ', '<html>', 'null', '[]', '7', '"Success"', '{"status":', '\ufeff{"status":"Success"}'].map(
      status,
    ),
    ...[
      [{ status: 'Success' }],
      {},
      { status: 'Pending' },
      { status: ['Success'] },
      { Status: 'Success' },
    ].map(status),
    ...[{ status: 'Failure' }, { status: 'Failure', reason: 'NonZeroExitCode' }].map(status),
    ...['seven', '', '256', '-1', 3, null, ['1']].map(exitCode),
    status(`${'['.repeat(100_000)}`),
    status({ status: 'Failure', message: 'x'.repeat(200_000) }),
    // More than a frame may have.
    status({ status: 'Success', message: 'x'.repeat(300_000) }),
  ];

  it('that cannot be read proves nothing: the pod does', async () => {
    const actions = unreadable.map((each) => closing([...execs.frames.slice(0, 2), each]));
    const cases = actions.flatMap((action) => [true, false].map((arrives) => ({ action, arrives })));
    const results = await playAll('B6', execs, cases);
    for (const [index, { arrives }] of cases.entries()) {
      const attempts = arrives ? ['Unconfirmed'] : ['Unconfirmed', 'Unconfirmed'];
      expect(results[index]).toEqual({ outcome: arrives ? 'Stopped 0' : 'Unproven', attempts });
    }
  });

  it('is the first one, whatever comes after it', async () => {
    const [empty = frame(1), sent = frame(1)] = execs.frames;
    const rests = [
      [exitCode('1')],
      [success, success],
      [status('<html>')],
      [frame(1, 'immune no'), success],
      [frame(255)],
    ];
    const cases = rests.map((rest) => ({ action: closing([empty, sent, success, ...rest]), arrives: true }));
    for (const one of await playAll('B6', execs, cases)) {
      expect(one).toEqual({ outcome: 'Stopped 0', attempts: ['Accepted'] });
    }
  });
});

describe.each([execs, tunnels])('B8: an upgrade for $subresource', (stream) => {
  it('to v4 is as good as one to v5', async () => {
    const cases = [{ action: closing(stream.frames, 'v4.channel.k8s.io'), arrives: true }];
    expect(await playAll('B8', stream, cases)).toEqual([{ outcome: 'Stopped 0', attempts: ['Accepted'] }]);
  });

  it.each(['', 'v9.channel.k8s.io', 'SPDY/3.1+portforward.k8s.io', 'base64.channel.k8s.io'])(
    'to the subprotocol "%s" may have arrived, and says no more',
    async (protocol) => {
      const cases = [true, false].map((arrives) => ({ action: closing(stream.frames, protocol), arrives }));
      expect(await playAll('B8', stream, cases)).toEqual([
        { outcome: 'Stopped 0', attempts: ['Unconfirmed'] },
        { outcome: 'Unproven', attempts: ['Unconfirmed', 'Unconfirmed'] },
      ]);
    },
  );
});
