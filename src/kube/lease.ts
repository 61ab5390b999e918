import type { V1Lease } from '@kubernetes/client-node';
import type { Lease, LeaseReading, LeaseRef, LeaseWrite } from '../model/ports.ts';
import { type Answer, refusal } from './http/answer.ts';
import type { Transport } from './http/transport.ts';
import { integer, type Json, parseJson, record, text } from './json.ts';
import type { Sent } from './sent.ts';
import { microTime, parseTime } from './time.ts';

/** Reads a lease, and what time the server has. */
export async function readLease(
  transport: Pick<Transport, 'get'>,
  ref: LeaseRef,
  abort: AbortSignal,
): Promise<LeaseReading> {
  const answer = await transport.get(leasePath(ref), {}, abort);
  const lease = leaseIn(answer, ref);
  if (!lease || answer.kind === 'Unanswered') return { kind: 'Unreadable', problem: refusal(answer) };
  return { kind: 'Present', lease, asOf: answer.date };
}

/** Creates a lease without a renewal time; its creation time, by the server's clock, stands in for it. */
export async function createLease(
  transport: Pick<Transport, 'send'>,
  ref: LeaseRef,
  { holder, duration, shards }: Pick<Lease, 'holder' | 'duration' | 'shards'>,
  abort: AbortSignal,
): Promise<LeaseWrite> {
  const body = {
    apiVersion,
    kind: 'Lease',
    metadata: { namespace: ref.namespace, name: ref.name, ...withShards(shards) },
    spec: { holderIdentity: holder, leaseDurationSeconds: duration / 1000 },
  } satisfies Sent<V1Lease>;
  return concludeWrite(await transport.send({ method: 'POST', path: leasesPath(ref), body }, abort), ref);
}

/** Writes a lease, unless another client has written it since it was read. */
export async function updateLease(
  transport: Pick<Transport, 'send'>,
  ref: LeaseRef,
  { holder, duration, renewedAt, resourceVersion, shards }: Lease,
  abort: AbortSignal,
): Promise<LeaseWrite> {
  const body = {
    apiVersion,
    kind: 'Lease',
    metadata: { namespace: ref.namespace, name: ref.name, resourceVersion, ...withShards(shards) },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: duration / 1000,
      ...(renewedAt !== undefined && { renewTime: microTime(renewedAt) }),
    },
  } satisfies Sent<V1Lease>;
  return concludeWrite(await transport.send({ method: 'PUT', path: leasePath(ref), body }, abort), ref);
}

function concludeWrite(answer: Answer, ref: LeaseRef): LeaseWrite {
  if (answer.kind === 'Answered' && answer.status === 409) return { kind: 'Conflict' };
  const lease = leaseIn(answer, ref);
  return lease ? { kind: 'Written', lease } : { kind: 'Failed', problem: refusal(answer) };
}

/** A proxy or a cache may answer with another lease, which tells nothing of this one. */
function leaseIn(answer: Answer, ref: LeaseRef): Lease | undefined {
  if (answer.kind === 'Unanswered' || answer.status >= 300) return undefined;
  const body = record(parseJson(answer.body));
  if (body['kind'] !== 'Lease') return undefined;
  const metadata = record(body['metadata']);
  const { name = ref.name, namespace = ref.namespace } = metadata;
  if (name !== ref.name || namespace !== ref.namespace) return undefined;
  const { holderIdentity, leaseDurationSeconds, renewTime } = record(body['spec']);
  return {
    holder: text(holderIdentity) ?? '',
    duration: (integer(leaseDurationSeconds) ?? 0) * 1000,
    renewedAt: parseTime(renewTime ?? metadata['creationTimestamp']),
    resourceVersion: text(metadata['resourceVersion']) ?? '',
    ...shardsIn(metadata),
  };
}

/** Who holds which shard, and since when: `{"0":{"holder":"…","renewTime":"…"}}`. A Lease has room for one holder only. */
const shardsKey = 'sidecar-sweeper.dev/shards';

function withShards(shards: Lease['shards']): { readonly annotations?: Record<string, string> } {
  if (!shards) return {};
  const written = Object.entries(shards).map(([index, { holder, renewedAt }]) => [
    index,
    { holder, ...(renewedAt !== undefined && { renewTime: microTime(renewedAt) }) },
  ]);
  return { annotations: { [shardsKey]: JSON.stringify(Object.fromEntries(written)) } };
}

function shardsIn(metadata: Json): Pick<Lease, 'shards'> {
  const written = text(record(metadata['annotations'])[shardsKey]);
  const shards = Object.entries(record(parseJson(written ?? ''))).map(([index, hold]) => {
    const { holder, renewTime } = record(hold);
    return [index, { holder: text(holder) ?? '', renewedAt: parseTime(renewTime) }];
  });
  return shards.length === 0 ? {} : { shards: Object.fromEntries(shards) };
}

const apiVersion = 'coordination.k8s.io/v1';

export function leasesPath({ namespace }: LeaseRef): string {
  return `/apis/${apiVersion}/namespaces/${encodeURIComponent(namespace)}/leases`;
}

export function leasePath(ref: LeaseRef): string {
  return `${leasesPath(ref)}/${encodeURIComponent(ref.name)}`;
}
