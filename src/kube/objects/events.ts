import { V1MicroTime } from '@kubernetes/client-node/dist/types.js';
import type { Events } from '../../model/ports.ts';
import { refusal } from '../client/answer.ts';
import type { Over, Writer } from '../client/transport.ts';
import { EventsV1Api, typedCall } from '../client/typed.ts';

export const createEvent: Over<Writer, Events['createEvent']> = async (
  transport,
  { regarding, reason, type, note, reporter, at },
  abort,
) => {
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
    eventTime: new V1MicroTime(at),
    reportingController: 'sidecar-sweeper.dev/sweeper',
    reportingInstance: reporter,
  };
  const { answer } = await typedCall(
    EventsV1Api,
    'Event',
    { redact: transport.redact, send: (request) => transport.send(request, abort) },
    (api) => api.createNamespacedEvent({ namespace, body }),
  );
  return answer.kind === 'Answered' && answer.status < 300 ? undefined : refusal(answer);
};

const apiVersions = { Pod: 'v1', Job: 'batch/v1' } as const;
