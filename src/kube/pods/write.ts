import type { V1DeleteOptions, V1Eviction } from '@kubernetes/client-node';
import type { PodRef, PodView } from '../../model/pod.ts';
import type { Cluster, IsStill, WriteResult } from '../../model/ports.ts';
import { isRecord, parseJson, record, records, text } from '../../util/json.ts';
import { type Answer, isUnadmitted, problemOf, refusal } from '../client/answer.ts';
import { parseRetryAfter } from '../client/busy.ts';
import type { Over, Transport } from '../client/transport.ts';
import { podPath } from '../objects/objects.ts';
import { readPod } from './read.ts';

export const swapImages: Over<Transport, Cluster['swapImages']> = async (
  transport,
  ref,
  swaps,
  { dryRun, isStill },
  abort,
) => {
  const pod = await readFreshPod(transport, ref, abort, isStill);
  if ('kind' in pod) return pod;
  const names = pod.containers.map(({ name }) => name);
  const operations = swaps.flatMap(({ container, image }) => {
    const path = `/spec/containers/${names.indexOf(container)}`;
    return [
      { op: 'test', path: `${path}/name`, value: container },
      { op: 'replace', path: `${path}/image`, value: image },
    ];
  });
  const answer = await patch(transport, ref, operations, abort, dryRun ? '?dryRun=All' : '');
  const result = concludeWrite(answer);
  if (result.kind !== 'Written' || answer.kind === 'Unanswered') return result;
  // A webhook may have written other images than were asked for.
  const containers = records(record(record(parseJson(answer.body))['spec'])['containers']);
  const images = swaps.flatMap(({ container }) => {
    const image = text(containers.find(({ name }) => name === container)?.['image']);
    return image === undefined ? [] : [[container, image] as const];
  });
  return images.length === swaps.length ? { ...result, images: Object.fromEntries(images) } : result;
};

/** The ephemeral container has the security context of its target, because only the same user may signal it. */
export const addEphemeralContainer: Over<Transport, Cluster['addEphemeralContainer']> = async (
  transport,
  ref,
  { target, image, command },
  abort,
  isStill,
) => {
  // In JSON, so that fields of later versions of Kubernetes are copied as well.
  const answer = await transport.get(podPath(ref), {}, abort);
  if (answer.kind === 'Unanswered' || answer.status !== 200) {
    return { kind: 'Undelivered', message: refusal(answer).message };
  }
  const { metadata, spec } = record(parseJson(answer.body));
  const uid = text(record(metadata)['uid']);
  if (uid === undefined) return { kind: 'Undelivered', message: 'the answer is not a pod' };
  if (uid !== ref.uid) return replaced;
  const targeted = records(record(spec)['containers']).find(({ name }) => name === target);
  const securityContext = targeted?.['securityContext'];
  const taken = records(record(spec)['ephemeralContainers']).map(({ name }) => name);
  const container = {
    name: firstFree('sidecar-sweeper', taken),
    image,
    command,
    targetContainerName: target,
    ...(isRecord(securityContext) && { securityContext }),
  };
  const body = { metadata: { uid }, spec: { ephemeralContainers: [container] } };
  // Judged last, so that nothing is sent to a pod that has changed since.
  const pod = await readFreshPod(transport, ref, abort, isStill);
  if ('kind' in pod) return pod;
  const contentType = 'application/strategic-merge-patch+json';
  const path = podPath(ref, 'ephemeralcontainers');
  return concludeWrite(await transport.sendSoon({ method: 'PATCH', path, body, contentType }, abort));
};

/** Makes the kubelet end the pod at once: the deadline is a second after its start, which has long passed. */
export const setDeadline: Over<Transport, Cluster['setDeadline']> = async (transport, ref, abort) => {
  // `add` sets the field whether or not there was one.
  const operation = { op: 'add', path: '/spec/activeDeadlineSeconds', value: 1 };
  return concludeWrite(await patch(transport, ref, [operation], abort));
};

function patch(
  transport: Transport,
  ref: PodRef,
  operations: readonly object[],
  abort: AbortSignal,
  query = '',
): Promise<Answer> {
  const body = [{ op: 'test', path: '/metadata/uid', value: ref.uid }, ...operations];
  const contentType = 'application/json-patch+json';
  return transport.sendSoon({ method: 'PATCH', path: `${podPath(ref)}${query}`, body, contentType }, abort);
}

export const evict: Over<Transport, Cluster['evict']> = async (transport, ref, abort) => {
  const { namespace, name, uid } = ref;
  const deleteOptions = { preconditions: { uid } };
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } };
  const body = { ...eviction, deleteOptions } satisfies V1Eviction;
  const path = podPath(ref, 'eviction');
  return concludeWrite(await transport.sendSoon({ method: 'POST', path, body }, abort));
};

export const deletePod: Over<Transport, Cluster['deletePod']> = async (transport, ref, abort) => {
  const preconditions = { uid: ref.uid };
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions } satisfies V1DeleteOptions;
  return concludeWrite(await transport.sendSoon({ method: 'DELETE', path: podPath(ref), body }, abort));
};

const replaced: Unwritten = { kind: 'Conflict', message: 'another pod now has this name' };

type Unwritten = Exclude<WriteResult, { readonly kind: 'Written' }>;

/** The pod as it is now, for a patch that depends on it. */
async function readFreshPod(
  transport: Transport,
  ref: PodRef,
  abort: AbortSignal,
  isStill: IsStill = () => true,
): Promise<PodView | Unwritten> {
  const reading = await transport.fresh(
    () => readPod(transport, ref, abort),
    ({ kind }) => kind !== 'Unreadable',
  );
  switch (reading.kind) {
    case 'Present':
      if (isStill(reading.pod)) return reading.pod;
      return { kind: 'Conflict', message: 'the pod changed before the patch' };
    case 'Replaced':
      return replaced;
    case 'Gone':
      return { kind: 'Undelivered', message: 'the pod is gone' };
    case 'Unreadable':
      return { kind: 'Undelivered', message: reading.problem.message };
  }
}

export function concludeWrite(answer: Answer, what = 'pod'): WriteResult {
  if (answer.kind === 'Unanswered') {
    const { kind, message } = answer.problem;
    // Anything else may have failed after the server had received it.
    const isUnsent = answer.isUnsent || kind === 'Unauthorized';
    return { kind: isUnsent ? 'Undelivered' : 'Unconfirmed', message };
  }
  const { status, body } = answer;
  if (status >= 200 && status < 300) return { kind: 'Written' };
  const { message } = problemOf(status, body);
  switch (status) {
    case 401:
      return { kind: 'Undelivered', message };
    case 403:
      return { kind: 'Refused', message };
    case 404:
    case 409:
      return { kind: 'Conflict', message };
    case 501:
      return { kind: 'Rejected', message };
    case 422:
      // This is what a failed `test` of a JSON patch gives; for an invalid value, the message says more.
      return message.includes('the server rejected our request due to an error')
        ? { kind: 'Conflict', message: `the ${what} changed before the patch` }
        : { kind: 'Rejected', message };
    case 429:
      return { kind: 'Busy', message, retryAfterMs: parseRetryAfter(answer.retryAfter) };
    default:
      if (isUnadmitted(message)) return { kind: 'Undelivered', message };
      return { kind: status >= 500 ? 'Unconfirmed' : 'Rejected', message };
  }
}

function firstFree(name: string, taken: readonly unknown[]): string {
  if (!taken.includes(name)) return name;
  let number = 2;
  while (taken.includes(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}
