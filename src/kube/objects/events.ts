import type { EventsV1Event } from '@kubernetes/client-node';
import type { PodEvent } from '../../model/ports.ts';
import type { Problem } from '../../model/reading.ts';
import { refusal } from '../client/answer.ts';
import type { Transport } from '../client/transport.ts';
import { microTime, type Sent } from '../json.ts';

/** Writes an event about a pod or a Job; returns the problem if it was not written. */
export async function createEvent(
  transport: Pick<Transport, 'send'>,
  { regarding, reason, type, note, reporter, at }: PodEvent,
  abort: AbortSignal,
): Promise<Problem | undefined> {
  const { kind, namespace, name, uid } = regarding;
  const body = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    // A generateName may end in a dash, but not in a dot: the server refuses `pod.` with 422.
    metadata: { namespace, generateName: `${name}-` },
    regarding: { apiVersion: apiVersions[kind], kind, namespace, name, uid },
    reason,
    type,
    note,
    action: 'EndSidecars',
    eventTime: microTime(at),
    reportingController: 'sidecar-sweeper.dev/sweeper',
    reportingInstance: reporter,
  } satisfies Sent<EventsV1Event>;
  const path = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  const answer = await transport.send({ method: 'POST', path, body }, abort);
  return answer.kind === 'Answered' && answer.status < 300 ? undefined : refusal(answer);
}

const apiVersions = { Pod: 'v1', Job: 'batch/v1' } as const;
