import type { PodReading } from '../../model/observation.ts';
import type { PodName } from '../../model/pod.ts';
import { refusal } from '../http/answer.ts';
import { readWhole } from '../http/body.ts';
import type { Take } from '../http/exchange.ts';
import { isHtml, unexpected } from '../http/problem.ts';
import type { ListTransport } from '../http/transport.ts';
import { parseJson } from '../json.ts';
import { podPath } from '../paths.ts';
import { narrowPod } from './narrow.ts';
import { readProtobufObject } from './protobuf/items.ts';
import { isProtobuf, magicBytes } from './protobuf/split-list.ts';

/** Reads the pod of that name and tells whether it is still the same one. */
export async function readPod(
  transport: ListTransport,
  ref: PodName & { readonly uid?: string },
  abort: AbortSignal,
): Promise<PodReading> {
  const answer = await transport.read(podPath(ref), {}, takePod, abort);
  if (answer.kind === 'Unanswered') return { kind: 'Unreadable', problem: answer.problem };
  const { status, body, date } = answer;
  if (typeof body === 'string') {
    const text = transport.redact(body);
    const problem = status < 300 ? unexpected('a pod', text) : refusal({ ...answer, body: text }, ref.name);
    return problem.kind === 'NotFound' ? { kind: 'Gone' } : { kind: 'Unreadable', problem };
  }
  const pod = narrowPod(body.object);
  if ('problem' in pod) {
    const message = `the server answered with something that is not a pod (${pod.problem}): is it a Kubernetes API server?`;
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
  }
  const { namespace, name } = pod.ref;
  if (namespace !== ref.namespace || name !== ref.name) {
    const message = `the server answered with another pod, ${namespace}/${name}`;
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
  }
  if (ref.uid !== undefined && pod.ref.uid !== ref.uid) return { kind: 'Replaced', uid: pod.ref.uid };
  return { kind: 'Present', pod, asOf: date };
}

/** The object of a success; of anything else, and of a page for browsers, what it says. */
const takePod: Take<string | { readonly object: unknown }> = async (bytes, { status }) => {
  const answer = await readWhole(bytes, status);
  const inProtobuf = isProtobuf(answer.subarray(0, magicBytes));
  const object = inProtobuf ? readProtobufObject(answer) : undefined;
  if (inProtobuf && status === 200) return { object };
  if (object) return JSON.stringify(object);
  const text = answer.toString('utf8');
  return status === 200 && !isHtml(text) ? { object: parseJson(text) } : text;
};
