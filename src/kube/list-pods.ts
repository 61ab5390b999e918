import type { ListPart } from '../ports.ts';
import { printable } from '../printable.ts';
import type { MalformedPod, PodView, Problem, Scope } from '../vocabulary.ts';
import { narrowPod } from './narrow.ts';
import { isRecord, parseJson, parseStatus } from './problem.ts';
import { type Answer, refusal, type Transport } from './transport.ts';

/**
 * The server itself leaves out every pod of a Deployment, DaemonSet or StatefulSet, and all that have ended.
 */
function fieldSelectorOf({ includePending }: Scope): string {
  const phase = includePending ? 'status.phase!=Succeeded,status.phase!=Failed' : 'status.phase=Running';
  return `${phase},spec.restartPolicy!=Always`;
}
const pageSize = 500;
/** A sweep of a large cluster may take longer than a token lives (about five minutes), but not for ever. */
const expiriesAllowed = 5;

/** Lists the pods of a scope in pages, one namespace after the other. */
export async function* listPods(
  transport: Pick<Transport, 'get'>,
  scope: Scope,
  signal: AbortSignal,
): AsyncIterable<ListPart> {
  const namespaces = scope.namespaces.length > 0 ? scope.namespaces : [undefined];
  for (const namespace of namespaces) yield* listNamespace(transport, namespace, scope, signal);
}

async function* listNamespace(
  transport: Pick<Transport, 'get'>,
  namespace: string | undefined,
  scope: Scope,
  signal: AbortSignal,
): AsyncIterable<ListPart> {
  const path =
    namespace === undefined ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const { labelSelector } = scope;
  const fieldSelector = fieldSelectorOf(scope);
  const seen = new Set<string>();
  const tokens = new Set<string>();
  let expiries = 0;
  let token: string | undefined;
  for (;;) {
    const query = {
      fieldSelector,
      limit: String(pageSize),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(token !== undefined && { continue: token }),
    };
    const answer = await transport.get(path, query, signal);
    const page = readPage(answer);
    switch (page.kind) {
      case 'Failed':
        yield { kind: 'Failed', namespace, problem: page.problem };
        return;
      case 'Expired':
        yield { kind: 'Inconsistent' };
        if (++expiries > expiriesAllowed) {
          const message = 'the list expired again and again before it could be read';
          yield { kind: 'Failed', namespace, problem: { kind: 'Rejected', message } };
          return;
        }
        // A list that begins anew may give the same tokens again.
        tokens.clear();
        token = page.token;
        break;
      case 'Page': {
        // After an expired token the list may show again what it has shown before.
        const pods = page.pods.filter(({ ref }) => !seen.has(ref.uid));
        for (const { ref } of pods) seen.add(ref.uid);
        yield { kind: 'Page', pods, malformed: page.malformed, asOf: page.asOf };
        if (page.token === undefined) return;
        if (tokens.has(page.token)) {
          const message = 'the server gave the same continue token twice';
          yield { kind: 'Failed', namespace, problem: { kind: 'Malformed', message } };
          return;
        }
        tokens.add(page.token);
        token = page.token;
        break;
      }
    }
  }
}

type Page =
  | {
      readonly kind: 'Page';
      readonly pods: readonly PodView[];
      readonly malformed: readonly MalformedPod[];
      readonly asOf: number;
      readonly token: string | undefined;
    }
  | { readonly kind: 'Expired'; readonly token: string | undefined }
  | { readonly kind: 'Failed'; readonly problem: Problem };

/** Only a PodList is a list of pods; anything else that comes with HTTP 200 is not "no pods". */
function readPage(answer: Answer): Page {
  if (answer.kind === 'Unanswered') return { kind: 'Failed', problem: answer.problem };
  const body = parseJson(answer.body);
  const status = isRecord(body) && body['kind'] === 'Status' ? parseStatus(body) : undefined;
  if (answer.status === 410 || status?.code === 410) return { kind: 'Expired', token: status?.continueToken };
  if (answer.status !== 200) return { kind: 'Failed', problem: refusal(answer) };
  if (!isRecord(body) || body['kind'] !== 'PodList' || !Array.isArray(body['items'])) {
    return { kind: 'Failed', problem: notAPodList(answer.body, status?.message) };
  }
  const pods: PodView[] = [];
  const malformed: MalformedPod[] = [];
  for (const item of body['items']) {
    const pod = narrowPod(item);
    if ('problem' in pod) malformed.push({ ...nameOf(item), problem: pod.problem });
    else pods.push(pod);
  }
  const token = isRecord(body['metadata']) ? body['metadata']['continue'] : undefined;
  return {
    kind: 'Page',
    pods,
    malformed,
    asOf: answer.date,
    token: typeof token === 'string' && token !== '' ? token : undefined,
  };
}

function notAPodList(body: string, statusMessage: string | undefined): Problem {
  const what = body.trimStart().startsWith('<') ? 'HTML' : printable(statusMessage ?? body, 80);
  return {
    kind: 'Malformed',
    message: `the server answered with something that is not a PodList (${what}): is it a Kubernetes API server?`,
  };
}

function nameOf(item: unknown): { readonly namespace: string; readonly name: string } {
  const metadata = isRecord(item) && isRecord(item['metadata']) ? item['metadata'] : {};
  const text = (value: unknown) => (typeof value === 'string' ? printable(value, 253) : '');
  return { namespace: text(metadata['namespace']), name: text(metadata['name']) };
}
