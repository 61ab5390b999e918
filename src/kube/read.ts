import type { JobReading } from '../ports.ts';
import type { PodReading, PodRef, Problem } from '../types.ts';
import { narrowPod } from './narrow.ts';
import { isRecord, parseJson } from './problem.ts';
import { type Answer, refusal, type Transport } from './transport.ts';

/** Reads the pod of that name and tells whether it is still the same one. */
export async function readPod(transport: Transport, ref: PodRef, signal: AbortSignal): Promise<PodReading> {
  const path = `/api/v1/namespaces/${encodeURIComponent(ref.namespace)}/pods/${encodeURIComponent(ref.name)}`;
  const answer = await transport.get(path, {}, signal);
  const problem = problemIn(answer);
  if (problem?.kind === 'NotFound') return { kind: 'Gone' };
  if (problem || answer.kind === 'Unanswered')
    return { kind: 'Unreadable', problem: problem ?? refusal(answer) };
  const pod = narrowPod(parseJson(answer.body));
  if ('problem' in pod) {
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message: `not a pod: ${pod.problem}` } };
  }
  if (pod.ref.uid !== ref.uid) return { kind: 'Replaced', uid: pod.ref.uid };
  return { kind: 'Present', pod, asOf: answer.date };
}

/** Reads how far a Job is. */
export async function readJob(
  transport: Transport,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<JobReading> {
  const path = `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/jobs/${encodeURIComponent(name)}`;
  const answer = await transport.get(path, {}, signal);
  const problem = problemIn(answer);
  if (problem?.kind === 'NotFound') return { kind: 'Gone' };
  if (problem || answer.kind === 'Unanswered')
    return { kind: 'Unreadable', problem: problem ?? refusal(answer) };
  const body = parseJson(answer.body);
  if (!isRecord(body) || body['kind'] !== 'Job') {
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message: 'not a Job' } };
  }
  const status = isRecord(body['status']) ? body['status'] : {};
  const conditions = Array.isArray(status['conditions']) ? status['conditions'].filter(isRecord) : [];
  const isTrue = (type: string) =>
    conditions.find((condition) => condition['type'] === type && condition['status'] === 'True');
  const failed = isTrue('Failed');
  return {
    kind: 'Present',
    job: { complete: isTrue('Complete') !== undefined, failed: failed && String(failed['reason'] ?? '') },
  };
}

function problemIn(answer: Answer): Problem | undefined {
  return answer.kind === 'Answered' && answer.status === 200 ? undefined : refusal(answer);
}
