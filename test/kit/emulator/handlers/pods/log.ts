import { statusesOf } from '../../world/kubelet/steps.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import { badRequest, StatusError } from '../status.ts';
import { type Location, locateContainer } from './location.ts';

const headers = { 'cache-control': 'no-cache, private', 'content-type': 'text/plain' };

export function log(call: Call): Answer {
  const location = locateContainer(call);
  if (!location.reachable) throw kubeletUnreachable(location);
  const text = textOf(call, location);
  return {
    kind: 'Stream',
    headers,
    open(sink) {
      if (text !== '') sink.write(text);
      sink.end();
      return () => {};
    },
  };
}

/** What is asked for of the log, or what a kubelet answers with status 200 if the runtime no longer has it. */
function textOf({ backend, request }: Call, { pod, container }: Location): string {
  const log = backend.kubelet.logs(pod.metadata.uid, container);
  if (log !== undefined) return tail(log, request.query);
  const { state } = statusesOf(pod).find(({ name }) => name === container) ?? {};
  if (state?.terminated) return `unable to retrieve container logs for ${state.terminated.containerID ?? ''}`;
  const waiting = state?.waiting?.reason ?? 'ContainerCreating';
  const isPull = waiting === 'ErrImagePull' || waiting === 'ImagePullBackOff';
  const why = isPull ? 'trying and failing to pull image' : waiting;
  throw badRequest(`container "${container}" in pod "${pod.metadata.name}" is waiting to start: ${why}`);
}

function tail(text: string, query: URLSearchParams): string {
  const lines = query.get('tailLines');
  const bytes = query.get('limitBytes');
  const all = text.split(/(?<=\n)/);
  const kept = lines === null ? text : all.slice(Math.max(0, all.length - Number(lines))).join('');
  return bytes === null ? kept : Buffer.from(kept).subarray(0, Number(bytes)).toString();
}

function kubeletUnreachable({ pod, container, kubeletAddress }: Location): StatusError {
  const { namespace, name } = pod.metadata;
  const url = `https://${kubeletAddress}/containerLogs/${namespace}/${name}/${container}`;
  const message = `Get "${url}": dial tcp ${kubeletAddress}: connect: connection refused`;
  return new StatusError(500, 'InternalError', message, { details: {} });
}
