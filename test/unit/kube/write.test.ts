import { describe, expect, it } from 'vitest';
import type { Answer, Transport } from '../../../src/kube/transport.ts';
import { addEphemeralContainer, deletePod, evict, setDeadline, swapImages } from '../../../src/kube/write.ts';
import type { WriteResult } from '../../../src/ports.ts';
import type { PodRef } from '../../../src/vocabulary.ts';
import { apiPod } from '../../builders/api-pod.ts';
import { readRecording } from '../../builders/recordings.ts';
import { answered, transportThatSends } from '../../builders/transport.ts';

const ref: PodRef = { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' };
const { signal } = new AbortController();
const present = answered(200, apiPod());
const written = answered(200, {});

const swaps = [{ container: 'sidecar', image: 'noop:1' }];
const beside = { target: 'sidecar', image: 'busybox:1', command: ['kill', '1'] };

/** Every write there is. */
const writes: readonly (readonly [name: string, write: (transport: Transport) => Promise<WriteResult>])[] = [
  ['swapImages', (transport) => swapImages(transport, ref, swaps, signal)],
  ['addEphemeralContainer', (transport) => addEphemeralContainer(transport, ref, beside, signal)],
  ['setDeadline', (transport) => setDeadline(transport, ref, signal)],
  ['evict', (transport) => evict(transport, ref, signal)],
  ['deletePod', (transport) => deletePod(transport, ref, signal)],
];

/** The answer that a real cluster gave to the n-th request of a recording, with its Retry-After header. */
function recorded(name: string, index = 0, retryAfter?: string): Answer {
  const { status = 0, body } = readRecording(name).exchanges?.[index] ?? {};
  return answered(status, body, retryAfter);
}

describe('what a real cluster answered', () => {
  it.each<readonly [title: string, answer: Answer, expected: WriteResult]>([
    ['a deadline that was set', recorded('deadline-patch'), { kind: 'Written' }],
    ['an image that was swapped', recorded('image-swap-distroless'), { kind: 'Written' }],
    ['an ephemeral container that was added', recorded('ephemeral-container-term'), { kind: 'Written' }],
    ['an eviction that was granted', recorded('evict', 1), { kind: 'Written' }],
    [
      'a delete for another uid',
      recorded('delete-wrong-uid'),
      { kind: 'Conflict', message: expect.stringContaining('does not match the UID in record') },
    ],
    [
      'a patch whose test of the uid fails',
      recorded('patch-uid-test-fails'),
      { kind: 'Conflict', message: 'the pod changed before the patch' },
    ],
    [
      'a deadline later than the one that is set',
      recorded('deadline-raise', 2),
      { kind: 'Rejected', message: expect.stringContaining('less than or equal to previous value') },
    ],
    [
      'an ephemeral container for no container of the pod',
      recorded('ephemeral-invalid'),
      { kind: 'Rejected', message: expect.stringContaining('Not found: "nosuch"') },
    ],
    [
      'a patch of a field that may not change',
      recorded('patch-immutable-field'),
      { kind: 'Rejected', message: expect.stringContaining('may not change fields other than') },
    ],
    [
      'an eviction against a disruption budget',
      recorded('evict', 0, '10'),
      {
        kind: 'Busy',
        message: expect.stringContaining('would violate the pod'),
        retryAfter: 10_000,
      },
    ],
  ])('%s', async (_title, answer, expected) => {
    const { transport } = transportThatSends(answer);
    expect(await deletePod(transport, ref, signal)).toStrictEqual(expected);
  });
});

const failure = (message: string) => ({ kind: 'Status', status: 'Failure', message });

describe.each(writes)('%s is concluded from the answer', (_name, write) => {
  it.each<readonly [status: number, kind: WriteResult['kind']]>([
    [200, 'Written'],
    [201, 'Written'],
    [202, 'Written'],
    [400, 'Rejected'],
    [401, 'Refused'],
    [403, 'Refused'],
    [404, 'Conflict'],
    [405, 'Rejected'],
    [409, 'Conflict'],
    [413, 'Rejected'],
    [415, 'Rejected'],
    [422, 'Rejected'],
    [429, 'Busy'],
    [500, 'Unconfirmed'],
    [502, 'Unconfirmed'],
    [503, 'Unconfirmed'],
    [504, 'Unconfirmed'],
  ])('%i: %s', async (status, kind) => {
    const result = await write(transportThatSends(answered(status, failure('why')), present).transport);
    expect(result.kind).toBe(kind);
    if ('message' in result) expect(result.message).toContain('why');
  });

  it('that did not come: it may have arrived', async () => {
    const none: Answer = { kind: 'Unanswered', problem: { kind: 'TimedOut', message: 'no answer' } };
    expect(await write(transportThatSends(none, present).transport)).toEqual({
      kind: 'Unconfirmed',
      message: 'no answer',
    });
  });

  it('that could not come, as nothing was sent without credentials', async () => {
    const none: Answer = { kind: 'Unanswered', problem: { kind: 'Unauthorized', message: 'no token' } };
    expect(await write(transportThatSends(none, present).transport)).toEqual({
      kind: 'Undelivered',
      message: 'no token',
    });
  });
});

describe('how long a busy server asks to wait', () => {
  it.each([
    ['10', 10_000],
    ['0', 0],
    ['99999', 99_999_000],
    [undefined, undefined],
    ['', undefined],
    ['100000', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Sat, 21 Nov 2026 04:00:10 GMT', undefined],
  ])('%j: %j ms', async (header, retryAfter) => {
    const { transport } = transportThatSends(answered(429, failure('a budget'), header));
    expect(await evict(transport, ref, signal)).toEqual({
      kind: 'Busy',
      message: expect.stringContaining('a budget'),
      retryAfter,
    });
  });
});

describe('a write that depends on what stands where reads the pod first, and is not sent', () => {
  const needsPod = writes.filter(([name]) => ['swapImages', 'addEphemeralContainer'].includes(name));
  it.each(
    needsPod.flatMap(([name, write]) =>
      (
        [
          ['another pod has the name', answered(200, apiPod({ metadata: { uid: 'uid-2' } })), 'Conflict'],
          ['the answer is no pod', answered(200, '<html>'), 'Conflict'],
          ['the pod is gone', answered(404, failure('not found')), 'Undelivered'],
          ['it may not be read', answered(403, failure('is forbidden')), 'Undelivered'],
          [
            'nobody answers',
            { kind: 'Unanswered', problem: { kind: 'TimedOut', message: 'no answer' } },
            'Undelivered',
          ],
        ] as const satisfies readonly (readonly [string, Answer, WriteResult['kind']])[]
      ).map(([title, pod, kind]) => ({ name, write, title, pod, kind })),
    ),
  )('$name when $title: $kind', async ({ write, pod, kind }) => {
    const { transport, sent } = transportThatSends(written, pod);
    expect(await write(transport)).toMatchObject({ kind });
    expect(sent).toEqual([]);
  });
});
