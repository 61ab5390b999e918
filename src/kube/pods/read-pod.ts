import type { PodName, PodReading } from '../../vocabulary.ts';
import type { Transport } from '../http/transport.ts';
import { podPath } from '../paths.ts';
import { readObject } from '../read-object.ts';
import { narrowPod } from './narrow.ts';

/** Reads the pod of that name and tells whether it is still the same one. */
export async function readPod(
  transport: Pick<Transport, 'get'>,
  ref: PodName & { readonly uid?: string },
  abort: AbortSignal,
): Promise<PodReading> {
  const reading = await readObject(transport, podPath(ref), abort);
  if (reading.kind !== 'Present') return reading;
  const pod = narrowPod(reading.body);
  if ('problem' in pod) {
    const message = `the server answered with something that is not a pod (${pod.problem}): is it a Kubernetes API server?`;
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
  }
  if (ref.uid !== undefined && pod.ref.uid !== ref.uid) return { kind: 'Replaced', uid: pod.ref.uid };
  return { kind: 'Present', pod, asOf: reading.asOf };
}
