import type { LeaseRef, Notebook } from '../model/ports.ts';
import type { Transport } from './http/transport.ts';
import { parseJson, record, text } from './json.ts';
import { leasePath, leasesPath } from './lease.ts';

const apiVersion = 'coordination.k8s.io/v1';
const key = 'sidecar-sweeper.dev/learnt';

/** A notebook in an annotation of a Lease that nobody holds: a sweep may write Leases, and often nothing else. */
export function openNotebook(transport: Pick<Transport, 'get' | 'send'>, ref: LeaseRef): Notebook {
  return {
    async read(abort) {
      const answer = await transport.get(leasePath(ref), {}, abort);
      if (answer.kind === 'Unanswered' || answer.status !== 200) return undefined;
      const metadata = record(record(parseJson(answer.body))['metadata']);
      return {
        text: text(record(metadata['annotations'])[key]) ?? '',
        version: text(metadata['resourceVersion']) ?? '',
      };
    },
    async write(notes, version, abort) {
      const body = {
        apiVersion,
        kind: 'Lease',
        metadata: {
          namespace: ref.namespace,
          name: ref.name,
          annotations: { [key]: notes },
          ...(version !== undefined && { resourceVersion: version }),
        },
      };
      const answer = await transport.send(
        version === undefined
          ? { method: 'POST', path: leasesPath(ref), body }
          : { method: 'PUT', path: leasePath(ref), body },
        abort,
      );
      if (answer.kind === 'Unanswered') return 'Failed';
      return answer.status === 409 ? 'Conflict' : answer.status < 300 ? 'Written' : 'Failed';
    },
  };
}
