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
import {
  abort,
  answered,
  forbidden,
  recorded,
  timedOut,
  transportThatSends,
} from '../../../builders/transport.ts';

const ref: PodRef = { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' };
const present = answered(200, apiPod());
const written = answered(200, {});

const swaps = [{ container: 'sidecar', image: 'noop:1' }];
const beside = { target: 'sidecar', image: 'busybox:1', command: ['kill', '1'] };

const writes: readonly (readonly [name: string, write: (transport: Transport) => Promise<WriteResult>])[] = [
  ['swapImages', (transport) => swapImages(transport, ref, swaps, { dryRun: false }, abort)],
  ['addEphemeralContainer', (transport) => addEphemeralContainer(transport, ref, beside, abort)],
  ['setDeadline', (transport) => setDeadline(transport, ref, abort)],
  ['evict', (transport) => evict(transport, ref, abort)],
  ['deletePod', (transport) => deletePod(transport, ref, abort)],
];

const says = (kind: 'Conflict' | 'Rejected', what: string) => {
  return { kind, message: expect.stringContaining(what) };
};
const budget = { kind: 'Busy', message: expect.stringContaining('would violate the pod') } as const;

// biome-ignore format: one row a line
it.each<readonly [title: string, answer: Answer, expected: WriteResult]>([
  ['to a deadline', recorded('deadline-patch'), { kind: 'Written' }],
  ['to an image swap', recorded('image-swap-distroless'), { kind: 'Written' }],
  ['to an ephemeral container', recorded('ephemeral-container-term'), { kind: 'Written' }],
  ['to a granted eviction', recorded('evict', 1), { kind: 'Written' }],
  ['to a delete with another uid', recorded('delete-wrong-uid'), says('Conflict', 'does not match the UID in record')],
  ['to a patch whose uid test fails', recorded('patch-uid-test-fails'), says('Conflict', 'the pod changed before')],
  ['to a later deadline', recorded('deadline-raise', 2), says('Rejected', 'less than or equal to previous value')],
  ['to an unknown target', recorded('ephemeral-invalid'), says('Rejected', 'Not found: "nosuch"')],
  ['to an immutable field', recorded('patch-immutable-field'), says('Rejected', 'may not change fields other than')],
  ['to an eviction beyond a budget', recorded('evict', 0, '10'), { ...budget, retryAfterMs: 10_000 }],
])('a recorded answer %s', async (_title, answer, expected) => {
  const { transport } = transportThatSends(answer);
  expect(await deletePod(transport, ref, abort)).toStrictEqual(expected);
});

const failure = (message: string) => ({ kind: 'Status', status: 'Failure', message });

describe.each(writes)('%s: the result follows from the answer', (_name, write) => {
  // biome-ignore format: as many as fit on a line
  it.each<readonly [status: number, kind: WriteResult['kind']]>([
    [200, 'Written'], [201, 'Written'], [202, 'Written'], [400, 'Rejected'], [401, 'Undelivered'],
    [403, 'Refused'], [404, 'Conflict'], [405, 'Rejected'], [409, 'Conflict'], [413, 'Rejected'],
    [415, 'Rejected'], [422, 'Rejected'], [429, 'Busy'], [500, 'Unconfirmed'], [501, 'Rejected'],
    [502, 'Unconfirmed'], [503, 'Unconfirmed'], [504, 'Unconfirmed'],
  ])('%i: %s', async (status, kind) => {
    const result = await write(transportThatSends(answered(status, failure('why')), present).transport);
    expect(result.kind).toBe(kind);
    if ('message' in result) expect(result.message).toContain('why');
  });

  it('is Undelivered if a webhook did not answer, which is asked before anything is written', async () => {
    const why = 'Internal error occurred: failed calling webhook "pods.example": context deadline exceeded';
    const result = await write(transportThatSends(answered(500, failure(why)), present).transport);
    expect(result).toEqual({ kind: 'Undelivered', message: expect.stringContaining(why) });
  });

  it.each([
    ['Unconfirmed without an answer, because the request may have arrived', 'TimedOut', 'Unconfirmed'],
    ['Undelivered without credentials, because nothing was sent', 'Unauthorized', 'Undelivered'],
  ] as const)('is %s', async (_title, problem, kind) => {
    const none: Answer = { kind: 'Unanswered', problem: { kind: problem, message: 'why' } };
    expect(await write(transportThatSends(none, present).transport)).toEqual({ kind, message: 'why' });
  });
});

describe('a write that needs the pod’s spec reads the pod first, and is not sent', () => {
  const needsPod = writes.filter(([name]) => ['swapImages', 'addEphemeralContainer'].includes(name));
  // biome-ignore format: one row a line
  const cases = needsPod.flatMap(([name, write]) => [
    { name, write, title: 'another pod has the name', pod: answered(200, apiPod({ metadata: { uid: 'x' } })) },
    { name, write, title: 'the answer is not a pod', pod: answered(200, '<html>') },
    { name, write, title: 'the pod does not exist', pod: answered(404, failure('not found')) },
    { name, write, title: 'the read is forbidden', pod: forbidden },
    { name, write, title: 'there is no answer', pod: timedOut },
  ]);
  it.each(cases)('$name if $title', async ({ write, title, pod }) => {
    const { transport, sent } = transportThatSends(written, pod);
    const kind = title.startsWith('another') ? 'Conflict' : 'Undelivered';
    expect(await write(transport)).toMatchObject({ kind });
    expect(sent).toEqual([]);
  });
});

const notAny = () => false;
it.each<readonly [name: string, write: (transport: Transport) => Promise<WriteResult>]>([
  ['swapImages', (to) => swapImages(to, ref, swaps, { dryRun: false, isStill: notAny }, abort)],
  ['addEphemeralContainer', (to) => addEphemeralContainer(to, ref, beside, abort, notAny)],
])('a pod that has changed since it was decided is not written to %s', async (_name, write) => {
  const { transport, sent } = transportThatSends(written, present);
  expect(await write(transport)).toEqual({ kind: 'Conflict', message: 'the pod changed before the patch' });
  expect(sent).toEqual([]);
});

describe('the images after a swap are those of the server’s answer:', () => {
  const two = [...swaps, { container: 'main', image: 'noop:2' }];
  const images = async (answer: Answer, asked = swaps) =>
    swapImages(transportThatSends(answer, present).transport, ref, asked, { dryRun: true }, abort);
  const podWith = (...containers: readonly object[]) => answered(200, apiPod({ spec: { containers } }));

  it('what was asked for, or what a webhook made of it', async () => {
    const sidecar = 'mirror.example/noop:1';
    const answer = podWith({ name: 'main', image: 'noop:2' }, { name: 'sidecar', image: sidecar });
    expect(await images(answer)).toEqual({ kind: 'Written', images: { sidecar } });
    expect(await images(answer, two)).toEqual({ kind: 'Written', images: { sidecar, main: 'noop:2' } });
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
    const body = [
      { op: 'test', path: '/metadata/uid', value: 'uid-1' },
      { op: 'test', path: '/spec/containers/2/name', value: 'b' },
      { op: 'replace', path: '/spec/containers/2/image', value: 'noop:1' },
      { op: 'test', path: '/spec/containers/1/name', value: 'a' },
      { op: 'replace', path: '/spec/containers/1/image', value: 'noop:2' },
    ];
    expect(sent).toEqual([{ method: 'PATCH', path, contentType: 'application/json-patch+json', body }]);
  });

  it('to swap images as a dry run is the same patch, which changes nothing', async () => {
    const { transport, sent } = transportThatSends(written, present);
    await swapImages(transport, ref, swaps, { dryRun: true }, abort);
    await swapImages(transport, ref, swaps, forReal, abort);
    const [dry, real] = sent;
    expect([dry?.path, real?.path]).toEqual([`${path}?dryRun=All`, path]);
    expect({ ...dry, path }).toEqual(real);
  });

  const own = { image: 'busybox:1', command: ['kill', '1'], targetContainerName: 'sidecar' };

  it('to add an ephemeral container has the target’s security context and an unused name', async () => {
    const securityContext = { runAsUser: 1337, capabilities: { drop: ['ALL'] } };
    const spec = {
      containers: [apiContainer('main'), apiContainer('sidecar', { securityContext })],
      ephemeralContainers: [{ name: 'sidecar-sweeper' }, { name: 'debugger' }, { name: 'sidecar-sweeper-2' }],
    };
    const { transport, sent } = transportThatSends(written, answered(200, apiPod({ spec })));
    await addEphemeralContainer(transport, ref, beside, abort);
    const added = { ...own, name: 'sidecar-sweeper-3', securityContext };
    const body = { metadata: { uid: 'uid-1' }, spec: { ephemeralContainers: [added] } };
    const contentType = 'application/strategic-merge-patch+json';
    expect(sent).toEqual([{ method: 'PATCH', path: `${path}/ephemeralcontainers`, contentType, body }]);
  });

  it('to add an ephemeral container has no security context if the target has none', async () => {
    const { transport, sent } = transportThatSends(written, present);
    await addEphemeralContainer(transport, ref, beside, abort);
    const spec = { ephemeralContainers: [{ ...own, name: 'sidecar-sweeper' }] };
    expect(sent[0]?.body).toStrictEqual({ metadata: { uid: 'uid-1' }, spec });
  });

  it('to set a deadline has one in the past, and the pod’s uid', async () => {
    const { transport, sent } = transportThatSends(written);
    await setDeadline(transport, ref, abort);
    const body = [
      { op: 'test', path: '/metadata/uid', value: 'uid-1' },
      { op: 'add', path: '/spec/activeDeadlineSeconds', value: 1 },
    ];
    expect(sent).toEqual([{ method: 'PATCH', path, contentType: 'application/json-patch+json', body }]);
  });

  it('to evict or delete has the pod’s uid', async () => {
    const { transport, sent } = transportThatSends(written);
    await evict(transport, ref, abort);
    await deletePod(transport, ref, abort);
    const preconditions = { uid: 'uid-1' };
    const eviction = { kind: 'Eviction', deleteOptions: { preconditions } };
    expect(sent).toMatchObject([
      { method: 'POST', path: `${path}/eviction`, body: eviction },
      { method: 'DELETE', path, body: { kind: 'DeleteOptions', preconditions } },
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
