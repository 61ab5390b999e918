import type { PodName } from '../../model/pod.ts';
import type { PodReading } from '../../model/reading.ts';
import type { ListTransport } from '../http/transport.ts';
import { podPath } from '../paths.ts';
import { narrowPod } from './narrow.ts';
import { readPodAnswer, whyNoPods } from './pod-answer.ts';

/** Reads the pod of that name, and finds out whether it is still the same one. */
export async function readPod(
  transport: ListTransport,
  ref: PodName & { readonly uid?: string },
  abort: AbortSignal,
): Promise<PodReading> {
  const answer = await transport.read(podPath(ref), {}, (bytes) => readPodAnswer(bytes), abort);
  if (answer.kind === 'Unanswered') return { kind: 'Unreadable', problem: answer.problem };
  const { status, body, date } = answer;
  if (status !== 200 || body.kind !== 'Pod') {
    const problem = whyNoPods(answer, 'a pod', transport.redact, ref.name);
    return problem.kind === 'NotFound' ? { kind: 'Gone' } : { kind: 'Unreadable', problem };
  }
  const pod = narrowPod(body.pod);
  if ('problem' in pod) {
    return malformed(
      `the server answered with something that is not a pod (${pod.problem}): is it a Kubernetes API server?`,
    );
  }
  const { namespace, name } = pod.ref;
  if (namespace !== ref.namespace || name !== ref.name) {
    return malformed(`the server answered with another pod, ${namespace}/${name}`);
  }
  if (ref.uid !== undefined && pod.ref.uid !== ref.uid) return { kind: 'Replaced', uid: pod.ref.uid };
  return { kind: 'Present', pod, asOf: date };
}

function malformed(message: string): PodReading {
  return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
}
