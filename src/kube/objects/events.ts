import { createHash } from 'node:crypto';
import { V1MicroTime } from '@kubernetes/client-node/dist/types.js';
import type { Events } from '../../model/ports.ts';
import { refusal, statusIn } from '../client/answer.ts';
import type { Over, Writer } from '../client/transport.ts';
import { EventsV1Api, typedCall } from '../client/typed.ts';

/** An equal warning is not written again while it exists (an hour, by default): a blocked pod would get one in every run. */
export const createEvent: Over<Writer, Events['createEvent']> = async (
  transport,
  { regarding, reason, type, note, reporter, at },
  abort,
) => {
  const { kind, namespace, name, uid } = regarding;
  const says = createHash('sha256')
    .update(JSON.stringify([uid, reason, note, type === 'Warning' ? undefined : at]))
    .digest('hex');
  const body = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { namespace, name: `sidecar-sweeper-${says.slice(0, 32)}` },
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
  if (answer.kind === 'Answered' && (answer.status < 300 || isThere(answer.body))) return undefined;
  return refusal(answer);
};

/** A quota that changes at the same moment is a 409 as well. */
const isThere = (body: string) => statusIn(body)?.reason === 'AlreadyExists';

const apiVersions = { Pod: 'v1', Job: 'batch/v1' } as const;
