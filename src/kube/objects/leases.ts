import type { V1Lease } from '@kubernetes/client-node';
import type { Lease, LeaseReading, LeaseRef, LeaseWrite, Notebook } from '../../model/ports.ts';
import { type Answer, refusal } from '../client/answer.ts';
import type { Transport } from '../client/transport.ts';
import { integer, microTime, parseJson, parseTime, record, type Sent, text } from '../json.ts';

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
  { holder, duration }: Pick<Lease, 'holder' | 'duration'>,
  abort: AbortSignal,
): Promise<LeaseWrite> {
  const body = {
    apiVersion,
    kind: 'Lease',
    metadata: { namespace: ref.namespace, name: ref.name },
    spec: { holderIdentity: holder, leaseDurationSeconds: duration / 1000 },
  } satisfies Sent<V1Lease>;
  return concludeWrite(await transport.send({ method: 'POST', path: leasesPath(ref), body }, abort), ref);
}

/** Writes a lease, unless another client has written it since it was read. */
export async function updateLease(
  transport: Pick<Transport, 'send'>,
  ref: LeaseRef,
  { holder, duration, renewedAt, resourceVersion }: Lease,
  abort: AbortSignal,
): Promise<LeaseWrite> {
  const body = {
    apiVersion,
    kind: 'Lease',
    metadata: { namespace: ref.namespace, name: ref.name, resourceVersion },
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
  };
}

const apiVersion = 'coordination.k8s.io/v1';

export function leasesPath({ namespace }: LeaseRef): string {
  return `/apis/${apiVersion}/namespaces/${encodeURIComponent(namespace)}/leases`;
}

export function leasePath(ref: LeaseRef): string {
  return `${leasesPath(ref)}/${encodeURIComponent(ref.name)}`;
}

const key = 'sidecar-sweeper.dev/learnt';

/** A notebook in an annotation of a Lease that nobody holds: a sweep may write Leases, and often nothing else. */
export function openNotebook(transport: Pick<Transport, 'get' | 'send'>, ref: LeaseRef): Notebook {
  return {
    async read(abort) {
      const answer = await transport.get(leasePath(ref), {}, abort);
      if (answer.kind === 'Unanswered' || answer.status !== 200) return undefined;
      const metadata = record(record(parseJson(answer.body))['metadata']);
      return {
        text: text(record(metadata['annotations'])[key]) ?? '',
        version: text(metadata['resourceVersion']) ?? '',
      };
    },
    async write(notes, version, abort) {
      const body = {
        apiVersion,
        kind: 'Lease',
        metadata: {
          namespace: ref.namespace,
          name: ref.name,
          annotations: { [key]: notes },
          ...(version !== undefined && { resourceVersion: version }),
        },
      };
      const answer = await transport.send(
        version === undefined
          ? { method: 'POST', path: leasesPath(ref), body }
          : { method: 'PUT', path: leasePath(ref), body },
        abort,
      );
      if (answer.kind === 'Unanswered') return 'Failed';
      return answer.status === 409 ? 'Conflict' : answer.status < 300 ? 'Written' : 'Failed';
    },
  };
}
