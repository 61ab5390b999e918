import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { readLease, readNotebook, writeLease, writeNotebook } from '../../../../src/kube/objects/leases.ts';
import {
  abort,
  answered,
  forbidden,
  serverTime,
  timedOut,
  transportThatSends,
  transportWith,
} from '../../../builders/transport.ts';

const ref = { namespace: 'a/b', name: 'sidecar-sweeper' };

const renewTime = '2026-11-21T03:59:30.000000Z';

function lease(spec: object = {}, more: object = {}): Answer {
  const metadata = { resourceVersion: '7', creationTimestamp: '2026-11-21T03:00:00Z', ...more };
  const held = { holderIdentity: 'laptop', leaseDurationSeconds: 60, renewTime, ...spec };
  return answered(200, { kind: 'Lease', metadata, spec: held });
}

describe('a lease is read', () => {
  const read = (answer: Answer) => readLease(transportWith(answer).transport, ref, abort);

  it('with its holder, and with times by the server’s clock', async () => {
    expect(await read(lease())).toEqual({
      kind: 'Present',
      lease: { holder: 'laptop', duration: 60_000, renewedAt: serverTime - 30_000, resourceVersion: '7' },
      asOf: serverTime,
    });
  });

  it.each([
    ['no renewTime, as of its creation', { renewTime: undefined }, { renewedAt: serverTime - 3_600_000 }],
    ['no holder if that is invalid', { holderIdentity: null }, { holder: '' }],
    ['no duration if that is invalid', { leaseDurationSeconds: '60' }, { duration: 0 }],
    ['no time if that is invalid', { renewTime: 'soon' }, { renewedAt: undefined }],
  ])('with %s', async (_title, spec, expected) => {
    expect(await read(lease(spec))).toMatchObject({ lease: expected });
  });

  it.each<readonly [title: string, answer: Answer, problem: string]>([
    ['forbidden', forbidden, 'Forbidden'],
    ['not answered', timedOut, 'TimedOut'],
    ['another lease', lease({}, { name: 'other' }), 'Malformed'],
    ['that of another namespace', lease({}, { namespace: 'b' }), 'Malformed'],
    ['a lease whose owners are no list', lease({}, { ownerReferences: 5 }), 'Malformed'],
  ])('or the reason is returned: %s', async (_title, answer, kind) => {
    expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
  });
});

describe('a lease is written', () => {
  const written = { holder: 'laptop', duration: 60_000, renewedAt: serverTime, resourceVersion: '7' };

  it('for the first time without a time, which the server sets', async () => {
    const { transport, sent } = transportThatSends(lease());
    await writeLease(transport, ref, { holder: 'laptop', duration: 60_000 }, abort);
    const spec = { holderIdentity: 'laptop', leaseDurationSeconds: 60 };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: ref, spec };
    const path = '/apis/coordination.k8s.io/v1/namespaces/a%2Fb/leases';
    expect(sent).toEqual([{ method: 'POST', path, body }]);
  });

  it('later only if its resourceVersion has not changed', async () => {
    const { transport, sent } = transportThatSends(lease());
    await writeLease(transport, ref, written, abort);
    const spec = { renewTime: '2026-11-21T04:00:00.000000Z' };
    const body = { metadata: { ...ref, resourceVersion: '7' }, spec };
    const path = '/apis/coordination.k8s.io/v1/namespaces/a%2Fb/leases/sidecar-sweeper';
    expect(sent).toMatchObject([{ method: 'PUT', path, body }]);
  });

  it('without a time if there is none', async () => {
    const { transport, sent } = transportThatSends(lease());
    await writeLease(transport, ref, { ...written, renewedAt: undefined }, abort);
    const [{ body } = { body: undefined }] = sent;
    expect(body).toHaveProperty('spec', { holderIdentity: 'laptop', leaseDurationSeconds: 60 });
  });

  it.each<readonly [title: string, answer: Answer, result: object]>([
    ['written', lease(), { kind: 'Written', lease: { holder: 'laptop', resourceVersion: '7' } }],
    ['changed by another client', answered(409, { kind: 'Status' }), { kind: 'Conflict' }],
    ['forbidden', forbidden, { kind: 'Failed', problem: { kind: 'Forbidden' } }],
    ['not answered', timedOut, { kind: 'Failed', problem: { kind: 'TimedOut' } }],
    ['answered by a gateway', answered(200, '<html>'), { kind: 'Failed' }],
  ])('and was %s', async (_title, answer, result) => {
    const { transport } = transportThatSends(answer);
    expect(await writeLease(transport, ref, written, abort)).toMatchObject(result);
  });
});

describe('a notebook in an annotation of a Lease', () => {
  const key = 'sidecar-sweeper.dev/learnt';
  const read = (answer: Answer) => readNotebook(transportWith(answer).transport, ref, abort);

  it.each<readonly [title: string, answer: Answer, expected: object | undefined]>([
    ['its text and version', lease({}, { annotations: { [key]: 'notes' } }), { text: 'notes', version: '7' }],
    ['none yet', lease(), { text: '', version: '7' }],
    ['no Lease', answered(404, {}), undefined],
    ['forbidden', forbidden, undefined],
    ['not answered', timedOut, undefined],
  ])('is read: %s', async (_title, answer, expected) => {
    expect(await read(answer)).toEqual(expected);
  });

  it.each([
    ['is begun', undefined, 'POST', ''],
    ['is replaced if its version has not changed', '7', 'PUT', '/sidecar-sweeper'],
  ] as const)('%s', async (_title, version, method, name) => {
    const { transport, sent } = transportThatSends(answered(200, {}));
    expect(await writeNotebook(transport, ref, 'notes', version, abort)).toBe('Written');
    const own = { annotations: { [key]: 'notes' }, ...(version && { resourceVersion: version }) };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...ref, ...own } };
    const path = `/apis/coordination.k8s.io/v1/namespaces/a%2Fb/leases${name}`;
    expect(sent).toEqual([{ method, path, body }]);
  });

  it.each([
    [409, 'Conflict'],
    [403, 'Failed'],
    [500, 'Failed'],
  ])('answers a write with %i: %s', async (status, expected) => {
    const { transport } = transportThatSends(answered(status, {}));
    expect(await writeNotebook(transport, ref, 'notes', '7', abort)).toBe(expected);
  });
});
