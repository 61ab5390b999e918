import type { Lease, LeaseReading, LeaseRef, LeaseWrite } from '../ports.ts';
import type { Millis } from '../vocabulary.ts';
import { isRecord, parseJson } from './problem.ts';
import { type Answer, refusal, type Transport } from './transport.ts';

type Json = Readonly<Record<string, unknown>>;

export async function readLease(
  transport: Pick<Transport, 'get'>,
  ref: LeaseRef,
  signal: AbortSignal,
): Promise<LeaseReading> {
  const answer = await transport.get(leasePath(ref), {}, signal);
  const lease = leaseIn(answer);
  if (!lease) return { kind: 'Unreadable', problem: refusal(answer) };
  return { kind: 'Present', lease, asOf: answer.kind === 'Answered' ? answer.date : Number.NaN };
}

/** Without a time of renewal: the server's own time of creation stands in for it. */
export async function createLease(
  transport: Pick<Transport, 'send'>,
  ref: LeaseRef,
  { holder, duration }: Pick<Lease, 'holder' | 'duration'>,
  signal: AbortSignal,
): Promise<LeaseWrite> {
  const body = {
    apiVersion,
    kind: 'Lease',
    metadata: { namespace: ref.namespace, name: ref.name },
    spec: { holderIdentity: holder, leaseDurationSeconds: duration / 1000 },
  };
  return concludeWrite(await transport.send({ method: 'POST', path: leasesPath(ref), body }, signal));
}

/** Only if nobody has written it since it was read. */
export async function updateLease(
  transport: Pick<Transport, 'send'>,
  ref: LeaseRef,
  { holder, duration, renewedAt, resourceVersion }: Lease,
  signal: AbortSignal,
): Promise<LeaseWrite> {
  const body = {
    apiVersion,
    kind: 'Lease',
    metadata: { namespace: ref.namespace, name: ref.name, resourceVersion },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: duration / 1000,
      ...(Number.isFinite(renewedAt) && { renewTime: microTime(renewedAt) }),
    },
  };
  return concludeWrite(await transport.send({ method: 'PUT', path: leasePath(ref), body }, signal));
}

function concludeWrite(answer: Answer): LeaseWrite {
  if (answer.kind === 'Answered' && answer.status === 409) return { kind: 'Conflict' };
  const lease = leaseIn(answer);
  return lease ? { kind: 'Written', lease } : { kind: 'Failed', problem: refusal(answer) };
}

function leaseIn(answer: Answer): Lease | undefined {
  if (answer.kind === 'Unanswered' || answer.status >= 300) return undefined;
  const body = parseJson(answer.body);
  if (!isRecord(body) || body['kind'] !== 'Lease') return undefined;
  const metadata = record(body['metadata']);
  const spec = record(body['spec']);
  const { holderIdentity, leaseDurationSeconds, renewTime } = spec;
  return {
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    duration: (typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds : 0) * 1000,
    renewedAt: Date.parse(String(renewTime ?? metadata['creationTimestamp'])),
    resourceVersion: String(metadata['resourceVersion']),
  };
}

/** Kubernetes' MicroTime: RFC 3339 with exactly six digits after the point. */
function microTime(time: Millis): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}

const apiVersion = 'coordination.k8s.io/v1';

function leasesPath({ namespace }: LeaseRef): string {
  return `/apis/${apiVersion}/namespaces/${encodeURIComponent(namespace)}/leases`;
}

function leasePath(ref: LeaseRef): string {
  return `${leasesPath(ref)}/${encodeURIComponent(ref.name)}`;
}

function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}
