import type { JobReading, NodeReading } from '../ports.ts';
import type { JobView, Owner, PodName, PodReading, PodView, Problem } from '../vocabulary.ts';
import { narrowPod } from './narrow.ts';
import { podPath } from './paths.ts';
import { isRecord, parseJson } from './problem.ts';
import { type Answer, refusal, type Transport } from './transport.ts';

/** Reads the pod of that name and tells whether it is still the same one. */
export async function readPod(
  transport: Pick<Transport, 'get'>,
  ref: PodName & { readonly uid?: string },
  signal: AbortSignal,
): Promise<PodReading> {
  const answer = await transport.get(podPath(ref), {}, signal);
  const problem = problemIn(answer);
  if (problem?.kind === 'NotFound') return { kind: 'Gone' };
  if (problem || answer.kind === 'Unanswered')
    return { kind: 'Unreadable', problem: problem ?? refusal(answer) };
  const pod = narrowPod(parseJson(answer.body));
  if ('problem' in pod) {
    return {
      kind: 'Unreadable',
      problem: {
        kind: 'Malformed',
        message: `the server answered with something that is not a pod (${pod.problem}): is it a Kubernetes API server?`,
      },
    };
  }
  if (ref.uid !== undefined && pod.ref.uid !== ref.uid) return { kind: 'Replaced', uid: pod.ref.uid };
  return { kind: 'Present', pod, asOf: answer.date };
}

/** Reads how far a Job is. */
export async function readJob(
  transport: Pick<Transport, 'get'>,
  namespace: string,
  owner: Owner,
  signal: AbortSignal,
): Promise<JobReading> {
  const path = `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/jobs/${encodeURIComponent(owner.name)}`;
  const answer = await transport.get(path, {}, signal);
  const problem = problemIn(answer);
  if (problem?.kind === 'NotFound') return { kind: 'Gone' };
  if (problem || answer.kind === 'Unanswered')
    return { kind: 'Unreadable', problem: problem ?? refusal(answer) };
  const body = parseJson(answer.body);
  if (!isRecord(body) || body['kind'] !== 'Job') {
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message: 'not a Job' } };
  }
  const metadata = isRecord(body['metadata']) ? body['metadata'] : {};
  if (metadata['uid'] !== owner.uid) return { kind: 'Gone' };
  return { kind: 'Present', job: narrowJob(body) };
}

/** Enough to learn from, and no more than a moment's work for the server. */
const failedPages = 20;

/** The failed pods of Jobs, page by page; those of a part that cannot be read are missing. */
export async function listFailedPods(
  transport: Pick<Transport, 'get'>,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<readonly PodView[]> {
  const paths = namespaces.map((name) => `/api/v1/namespaces/${encodeURIComponent(name)}/pods`);
  const found: PodView[] = [];
  for (const path of paths.length > 0 ? paths : ['/api/v1/pods']) {
    let token: string | undefined;
    for (let page = 0; page < failedPages; page++) {
      const query = {
        labelSelector: 'job-name',
        fieldSelector: 'status.phase=Failed',
        limit: '500',
        ...(token !== undefined && { continue: token }),
      };
      const answer = await transport.get(path, query, signal);
      if (problemIn(answer) || answer.kind === 'Unanswered') break;
      const body = record(parseJson(answer.body));
      const items = Array.isArray(body['items']) ? body['items'] : [];
      for (const item of items) {
        const pod = narrowPod(item);
        if (!('problem' in pod)) found.push(pod);
      }
      const next = record(body['metadata'])['continue'];
      if (typeof next !== 'string' || next === '' || next === token) break;
      token = next;
    }
  }
  return found;
}

/** SuccessCriteriaMet and FailureTarget come first, when what is to become of the Job is decided (1.31+). */
function narrowJob(job: Json): JobView {
  const status = record(job['status']);
  const template = record(record(record(job['spec'])['template'])['spec']);
  const containers = Array.isArray(template['containers']) ? template['containers'].filter(isRecord) : [];
  const conditions = Array.isArray(status['conditions']) ? status['conditions'].filter(isRecord) : [];
  const find = (...types: string[]) =>
    conditions.find(({ type, status }) => status === 'True' && types.some((wanted) => wanted === type));
  const failed = find('Failed', 'FailureTarget');
  const uncounted = isRecord(status['uncountedTerminatedPods']) ? status['uncountedTerminatedPods'] : {};
  const uids = [uncounted['succeeded'], uncounted['failed']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  return {
    containers: containers.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
    complete: find('Complete', 'SuccessCriteriaMet') !== undefined,
    failed: failed && String(failed['reason'] ?? ''),
    uncounted: uids.filter((uid) => typeof uid === 'string'),
  };
}

/** Reads whether a node is ready. */
export async function readNode(
  transport: Pick<Transport, 'get'>,
  name: string,
  signal: AbortSignal,
): Promise<NodeReading> {
  const answer = await transport.get(`/api/v1/nodes/${encodeURIComponent(name)}`, {}, signal);
  const problem = problemIn(answer);
  if (problem?.kind === 'NotFound') return { kind: 'NotReady', reason: 'NodeGone' };
  if (problem || answer.kind === 'Unanswered')
    return { kind: 'Unreadable', problem: problem ?? refusal(answer) };
  const body = parseJson(answer.body);
  if (!isRecord(body) || body['kind'] !== 'Node') {
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message: 'not a Node' } };
  }
  const conditions = record(body['status'])['conditions'];
  const ready = (Array.isArray(conditions) ? conditions.filter(isRecord) : []).find(
    ({ type }) => type === 'Ready',
  );
  if (ready?.['status'] === 'True') return { kind: 'Ready' };
  return { kind: 'NotReady', reason: String(ready?.['reason'] ?? 'NoReadyCondition') };
}

type Json = Readonly<Record<string, unknown>>;

function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function problemIn(answer: Answer): Problem | undefined {
  return answer.kind === 'Answered' && answer.status === 200 ? undefined : refusal(answer);
}
