import type { V1Lease } from '@kubernetes/client-node';
import { ObjectCoordinationV1Api as CoordinationV1Api } from '@kubernetes/client-node/dist/gen/types/ObjectParamAPI.js';
import { V1MicroTime } from '@kubernetes/client-node/dist/types.js';
import type { Lease, LeaseRef, Leases, LeaseWrite, Notebook } from '../../model/ports.ts';
import { integer, parseJson, parseTime, record, text } from '../../util/json.ts';
import { refusal } from '../client/answer.ts';
import type { Over, Reader, Writer } from '../client/transport.ts';
import { type TypedAnswer, typedCall } from './typed.ts';

function get(transport: Reader, ref: LeaseRef, abort: AbortSignal) {
  return typedCall(
    CoordinationV1Api,
    'Lease',
    { redact: transport.redact, send: ({ path }) => transport.get(path, {}, abort) },
    (api) => api.readNamespacedLease({ ...ref }),
  );
}

/** Creates a Lease or, with a resourceVersion, replaces it, unless another client has written it since it was read. */
function put(transport: Writer, ref: LeaseRef, { metadata, spec }: V1Lease, abort: AbortSignal) {
  const { namespace } = ref;
  const kind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
  const body = { ...kind, metadata: { ...metadata, ...ref }, ...(spec && { spec }) };
  return typedCall(
    CoordinationV1Api,
    'Lease',
    { redact: transport.redact, send: (request) => transport.send(request, abort) },
    (api) =>
      metadata?.resourceVersion === undefined
        ? api.createNamespacedLease({ namespace, body })
        : api.replaceNamespacedLease({ ...ref, body }),
  );
}

export const readLease: Over<Reader, Leases['readLease']> = async (transport, ref, abort) => {
  const read = await get(transport, ref, abort);
  const lease = leaseIn(read, ref);
  const { answer } = read;
  if (!lease || answer.kind === 'Unanswered') return { kind: 'Unreadable', problem: refusal(answer) };
  return { kind: 'Present', lease, asOf: answer.date };
};

/** Without a time of renewal, that of the creation stands in for it, by the server's clock. */
export async function writeLease(
  transport: Writer,
  ref: LeaseRef,
  lease: Pick<Lease, 'holder' | 'duration'> & Partial<Lease>,
  abort: AbortSignal,
): Promise<LeaseWrite> {
  const { holder, duration, renewedAt, resourceVersion, shards } = lease;
  const spec = {
    holderIdentity: holder,
    leaseDurationSeconds: duration / 1000,
    ...(renewedAt !== undefined && { renewTime: new V1MicroTime(renewedAt) }),
  };
  const metadata = { ...(resourceVersion !== undefined && { resourceVersion }), ...withShards(shards) };
  return concludeWrite(await put(transport, ref, { metadata, spec }, abort), ref);
}

function concludeWrite(written: TypedAnswer<V1Lease>, ref: LeaseRef): LeaseWrite {
  const { answer } = written;
  if (answer.kind === 'Answered' && answer.status === 409) return { kind: 'Conflict' };
  const lease = leaseIn(written, ref);
  return lease ? { kind: 'Written', lease } : { kind: 'Failed', problem: refusal(answer) };
}

/** A proxy or a cache may answer with another lease, which tells nothing of this one. */
function leaseIn({ object }: TypedAnswer<V1Lease>, ref: LeaseRef): Lease | undefined {
  if (!object) return undefined;
  const { name = ref.name, namespace = ref.namespace, ...metadata } = object.metadata ?? {};
  if (name !== ref.name || namespace !== ref.namespace) return undefined;
  const { holderIdentity, leaseDurationSeconds, renewTime } = object.spec ?? {};
  return {
    holder: text(holderIdentity) ?? '',
    duration: (integer(leaseDurationSeconds) ?? 0) * 1000,
    renewedAt: parseTime(renewTime ?? metadata.creationTimestamp),
    resourceVersion: text(metadata.resourceVersion) ?? '',
    ...shardsIn(metadata.annotations?.[shardsKey]),
  };
}

/** Who holds which shard: `{"0":{"holder":"…","renewTime":"…"}}`. A Lease has a field for one holder only. */
const shardsKey = 'sidecar-sweeper.dev/shards';

function withShards(shards: Lease['shards']): Pick<NonNullable<V1Lease['metadata']>, 'annotations'> {
  if (!shards) return {};
  const written = Object.entries(shards).map(([index, { holder, renewedAt }]) => [
    index,
    { holder, ...(renewedAt !== undefined && { renewTime: new Date(renewedAt).toISOString() }) },
  ]);
  return { annotations: { [shardsKey]: JSON.stringify(Object.fromEntries(written)) } };
}

function shardsIn(written: unknown): Pick<Lease, 'shards'> {
  const shards = Object.entries(record(parseJson(text(written) ?? ''))).map(([index, hold]) => {
    const { holder, renewTime } = record(hold);
    return [index, { holder: text(holder) ?? '', renewedAt: parseTime(renewTime) }];
  });
  return shards.length === 0 ? {} : { shards: Object.fromEntries(shards) };
}

const key = 'sidecar-sweeper.dev/learnt';

/** A notebook is an annotation of a Lease without a holder: a sweep may write Leases, and often nothing else. */
export async function readNotebook(
  transport: Reader,
  ref: LeaseRef,
  abort: AbortSignal,
): ReturnType<Notebook['read']> {
  const { object } = await get(transport, ref, abort);
  const { annotations, resourceVersion } = object?.metadata ?? {};
  return object && { text: text(annotations?.[key]) ?? '', version: text(resourceVersion) ?? '' };
}

export async function writeNotebook(
  transport: Writer,
  ref: LeaseRef,
  notes: string,
  resourceVersion: string | undefined,
  abort: AbortSignal,
): ReturnType<Notebook['write']> {
  const version = resourceVersion !== undefined && { resourceVersion };
  const metadata = { annotations: { [key]: notes }, ...version };
  const { answer } = await put(transport, ref, { metadata }, abort);
  if (answer.kind === 'Unanswered') return 'Failed';
  return answer.status === 409 ? 'Conflict' : answer.status < 300 ? 'Written' : 'Failed';
}
