import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import type { Transport } from '../../../../src/kube/client/transport.ts';
import {
  addEphemeralContainer,
  deletePod,
  evict,
  setDeadline,
  swapImages,
} from '../../../../src/kube/pods/write.ts';
import type { PodRef } from '../../../../src/model/pod.ts';
import type { WriteResult } from '../../../../src/model/ports.ts';
import { apiContainer, apiPod } from '../../../builders/api-pod.ts';
import { readRecording } from '../../../builders/recordings.ts';
import { answered, transportThatSends } from '../../../builders/transport.ts';

const ref: PodRef = { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' };
const { signal: abort } = new AbortController();
const present = answered(200, apiPod());
const written = answered(200, {});

const swaps = [{ container: 'sidecar', image: 'noop:1' }];
const beside = { target: 'sidecar', image: 'busybox:1', command: ['kill', '1'] };

/** Every kind of write. */
const writes: readonly (readonly [name: string, write: (transport: Transport) => Promise<WriteResult>])[] = [
  ['swapImages', (transport) => swapImages(transport, ref, swaps, { dryRun: false }, abort)],
  ['addEphemeralContainer', (transport) => addEphemeralContainer(transport, ref, beside, abort)],
  ['setDeadline', (transport) => setDeadline(transport, ref, abort)],
  ['evict', (transport) => evict(transport, ref, abort)],
  ['deletePod', (transport) => deletePod(transport, ref, abort)],
];

/** A real cluster's answer to the n-th request of a recording, with a Retry-After header. */
function recorded(name: string, index = 0, retryAfter?: string): Answer {
  const { status = 0, body } = readRecording(name).exchanges?.[index] ?? {};
  return answered(status, body, retryAfter);
}

describe('a recorded answer', () => {
  it.each<readonly [title: string, answer: Answer, expected: WriteResult]>([
    ['to a deadline', recorded('deadline-patch'), { kind: 'Written' }],
    ['to an image swap', recorded('image-swap-distroless'), { kind: 'Written' }],
    ['to an ephemeral container', recorded('ephemeral-container-term'), { kind: 'Written' }],
    ['to a granted eviction', recorded('evict', 1), { kind: 'Written' }],
    [
      'to a delete with another uid',
      recorded('delete-wrong-uid'),
      { kind: 'Conflict', message: expect.stringContaining('does not match the UID in record') },
    ],
    [
      'to a patch whose uid test fails',
      recorded('patch-uid-test-fails'),
      { kind: 'Conflict', message: 'the pod changed before the patch' },
    ],
    [
      'to a later deadline',
      recorded('deadline-raise', 2),
      { kind: 'Rejected', message: expect.stringContaining('less than or equal to previous value') },
    ],
    [
      'to an ephemeral container with an unknown target',
      recorded('ephemeral-invalid'),
      { kind: 'Rejected', message: expect.stringContaining('Not found: "nosuch"') },
    ],
    [
      'to a patch of an immutable field',
      recorded('patch-immutable-field'),
      { kind: 'Rejected', message: expect.stringContaining('may not change fields other than') },
    ],
    [
      'to an eviction refused by a PodDisruptionBudget',
      recorded('evict', 0, '10'),
      {
        kind: 'Busy',
        message: expect.stringContaining('would violate the pod'),
        retryAfter: 10_000,
      },
    ],
  ])('%s', async (_title, answer, expected) => {
    const { transport } = transportThatSends(answer);
    expect(await deletePod(transport, ref, abort)).toStrictEqual(expected);
  });
});

const failure = (message: string) => ({ kind: 'Status', status: 'Failure', message });

describe.each(writes)('%s: the result follows from the answer', (_name, write) => {
  it.each<readonly [status: number, kind: WriteResult['kind']]>([
    [200, 'Written'],
    [201, 'Written'],
    [202, 'Written'],
    [400, 'Rejected'],
    [401, 'Undelivered'],
    [403, 'Refused'],
    [404, 'Conflict'],
    [405, 'Rejected'],
    [409, 'Conflict'],
    [413, 'Rejected'],
    [415, 'Rejected'],
    [422, 'Rejected'],
    [429, 'Busy'],
    [500, 'Unconfirmed'],
    [501, 'Rejected'],
    [502, 'Unconfirmed'],
    [503, 'Unconfirmed'],
    [504, 'Unconfirmed'],
  ])('%i: %s', async (status, kind) => {
    const result = await write(transportThatSends(answered(status, failure('why')), present).transport);
    expect(result.kind).toBe(kind);
    if ('message' in result) expect(result.message).toContain('why');
  });

  it('is Unconfirmed without an answer, because the request may have arrived', async () => {
    const none: Answer = { kind: 'Unanswered', problem: { kind: 'TimedOut', message: 'no answer' } };
    expect(await write(transportThatSends(none, present).transport)).toEqual({
      kind: 'Unconfirmed',
      message: 'no answer',
    });
  });

  it('is Undelivered without credentials, because nothing was sent', async () => {
    const none: Answer = { kind: 'Unanswered', problem: { kind: 'Unauthorized', message: 'no token' } };
    expect(await write(transportThatSends(none, present).transport)).toEqual({
      kind: 'Undelivered',
      message: 'no token',
    });
  });
});

it.each([
  ['10', 10_000],
  ['soon', undefined],
])('a busy server may say when to come back: Retry-After %s', async (header, retryAfter) => {
  const { transport } = transportThatSends(answered(429, failure('a budget'), header));
  const message = expect.stringContaining('a budget');
  expect(await evict(transport, ref, abort)).toEqual({ kind: 'Busy', message, retryAfter });
});

describe('a write that needs the pod’s spec reads the pod first, and is not sent', () => {
  const needsPod = writes.filter(([name]) => ['swapImages', 'addEphemeralContainer'].includes(name));
  it.each(
    needsPod.flatMap(([name, write]) =>
      (
        [
          [
            'another pod has the same name',
            answered(200, apiPod({ metadata: { uid: 'uid-2' } })),
            'Conflict',
          ],
          ['the answer is not a pod', answered(200, '<html>'), 'Undelivered'],
          ['the pod does not exist', answered(404, failure('not found')), 'Undelivered'],
          ['the read is forbidden', answered(403, failure('is forbidden')), 'Undelivered'],
          [
            'there is no answer',
            { kind: 'Unanswered', problem: { kind: 'TimedOut', message: 'no answer' } },
            'Undelivered',
          ],
        ] as const satisfies readonly (readonly [string, Answer, WriteResult['kind']])[]
      ).map(([title, pod, kind]) => ({ name, write, title, pod, kind })),
    ),
  )('$name if $title: $kind', async ({ write, pod, kind }) => {
    const { transport, sent } = transportThatSends(written, pod);
    expect(await write(transport)).toMatchObject({ kind });
    expect(sent).toEqual([]);
  });
});

describe('a pod that has changed since it was decided is not written to', () => {
  const notAny = () => false;
  it.each<readonly [name: string, write: (transport: Transport) => Promise<WriteResult>]>([
    ['swapImages', (to) => swapImages(to, ref, swaps, { dryRun: false, isStill: notAny }, abort)],
    ['addEphemeralContainer', (to) => addEphemeralContainer(to, ref, beside, abort, notAny)],
  ])('%s', async (_name, write) => {
    const { transport, sent } = transportThatSends(written, present);
    expect(await write(transport)).toEqual({ kind: 'Conflict', message: 'the pod changed before the patch' });
    expect(sent).toEqual([]);
  });
});

describe('the images after a swap are those of the server’s answer:', () => {
  const two = [...swaps, { container: 'main', image: 'noop:2' }];
  const images = async (answer: Answer, asked = swaps) =>
    swapImages(transportThatSends(answer, present).transport, ref, asked, { dryRun: true }, abort);
  const podWith = (...containers: readonly object[]) => answered(200, apiPod({ spec: { containers } }));

  it('what was asked for, or what a webhook made of it', async () => {
    const answer = podWith(
      { name: 'main', image: 'noop:2' },
      { name: 'sidecar', image: 'mirror.example/noop:1' },
    );
    expect(await images(answer)).toEqual({ kind: 'Written', images: { sidecar: 'mirror.example/noop:1' } });
    expect(await images(answer, two)).toEqual({
      kind: 'Written',
      images: { sidecar: 'mirror.example/noop:1', main: 'noop:2' },
    });
  });

  it.each<readonly [title: string, answer: Answer]>([
    ['the answer is no pod', answered(200, '<html>')],
    ['the answer is empty', written],
    ['a container is missing', podWith({ name: 'main', image: 'noop:2' })],
    ['an image is missing', podWith({ name: 'main', image: 'noop:2' }, { name: 'sidecar' })],
  ])('none if %s', async (_title, answer) => {
    expect(await images(answer, two)).toEqual({ kind: 'Written' });
  });

  it('none if the swap was not written', async () => {
    const result = await images(answered(422, failure('is invalid')));
    expect(result).toEqual({ kind: 'Rejected', message: expect.stringContaining('is invalid') });
  });
});

const path = '/api/v1/namespaces/demo/pods/work-x2k9p';
const forReal = { dryRun: false };

describe('the request', () => {
  it('to swap images is one patch with tests for the pod’s uid and the container names', async () => {
    const names = ['main', 'a', 'b'];
    const pod = answered(200, apiPod({ spec: { containers: names.map((name) => apiContainer(name)) } }));
    const { transport, sent } = transportThatSends(written, pod);
    const both = [
      { container: 'b', image: 'noop:1' },
      { container: 'a', image: 'noop:2' },
    ];
    await swapImages(transport, ref, both, forReal, abort);
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path,
        contentType: 'application/json-patch+json',
        body: [
          { op: 'test', path: '/metadata/uid', value: 'uid-1' },
          { op: 'test', path: '/spec/containers/2/name', value: 'b' },
          { op: 'replace', path: '/spec/containers/2/image', value: 'noop:1' },
          { op: 'test', path: '/spec/containers/1/name', value: 'a' },
          { op: 'replace', path: '/spec/containers/1/image', value: 'noop:2' },
        ],
      },
    ]);
  });

  it('to swap images as a dry run is the same patch, which changes nothing', async () => {
    const { transport, sent } = transportThatSends(written, present);
    await swapImages(transport, ref, swaps, { dryRun: true }, abort);
    await swapImages(transport, ref, swaps, forReal, abort);
    const [dry, real] = sent;
    expect([dry?.path, real?.path]).toEqual([`${path}?dryRun=All`, path]);
    expect({ ...dry, path }).toEqual(real);
  });

  it('to add an ephemeral container has the target’s security context and an unused name', async () => {
    const securityContext = { runAsUser: 1337, capabilities: { drop: ['ALL'] } };
    const spec = {
      containers: [apiContainer('main'), apiContainer('sidecar', { securityContext })],
      ephemeralContainers: [{ name: 'sidecar-sweeper' }, { name: 'debugger' }, { name: 'sidecar-sweeper-2' }],
    };
    const { transport, sent } = transportThatSends(written, answered(200, apiPod({ spec })));
    await addEphemeralContainer(transport, ref, beside, abort);
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path: `${path}/ephemeralcontainers`,
        contentType: 'application/strategic-merge-patch+json',
        body: {
          metadata: { uid: 'uid-1' },
          spec: {
            ephemeralContainers: [
              {
                name: 'sidecar-sweeper-3',
                image: 'busybox:1',
                command: ['kill', '1'],
                targetContainerName: 'sidecar',
                securityContext,
              },
            ],
          },
        },
      },
    ]);
  });

  it('to add an ephemeral container has no security context if the target has none', async () => {
    const { transport, sent } = transportThatSends(written, present);
    await addEphemeralContainer(transport, ref, beside, abort);
    expect(sent[0]?.body).toStrictEqual({
      metadata: { uid: 'uid-1' },
      spec: {
        ephemeralContainers: [
          {
            name: 'sidecar-sweeper',
            image: 'busybox:1',
            command: ['kill', '1'],
            targetContainerName: 'sidecar',
          },
        ],
      },
    });
  });

  it('to set a deadline has one in the past, and the pod’s uid', async () => {
    const { transport, sent } = transportThatSends(written);
    await setDeadline(transport, ref, abort);
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path,
        contentType: 'application/json-patch+json',
        body: [
          { op: 'test', path: '/metadata/uid', value: 'uid-1' },
          { op: 'add', path: '/spec/activeDeadlineSeconds', value: 1 },
        ],
      },
    ]);
  });

  it('to evict or delete has the pod’s uid', async () => {
    const { transport, sent } = transportThatSends(written);
    await evict(transport, ref, abort);
    await deletePod(transport, ref, abort);
    expect(sent).toMatchObject([
      {
        method: 'POST',
        path: `${path}/eviction`,
        body: { kind: 'Eviction', deleteOptions: { preconditions: { uid: 'uid-1' } } },
      },
      { method: 'DELETE', path, body: { kind: 'DeleteOptions', preconditions: { uid: 'uid-1' } } },
    ]);
  });

  it.each<readonly [name: string, write: (transport: Transport, odd: PodRef) => Promise<WriteResult>]>([
    // The others read the pod before, which cannot have such a name.
    ['setDeadline', (transport, odd) => setDeadline(transport, odd, abort)],
    ['evict', (transport, odd) => evict(transport, odd, abort)],
    ['deletePod', (transport, odd) => deletePod(transport, odd, abort)],
  ])('of %s has an escaped path', async (_name, write) => {
    const { transport, sent } = transportThatSends(written, present);
    await write(transport, { namespace: 'a/b', name: '../x?y#z', uid: 'uid-1' });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.path).toMatch(/^\/api\/v1\/namespaces\/a%2Fb\/pods\/..%2Fx%3Fy%23z(?:\/[a-z]+)?$/);
  });
});
