import { ownKeys } from '../../model/annotations.ts';
import { bounds } from '../../model/bounds.ts';
import type { Cluster } from '../../model/ports.ts';
import type { NamespaceReading } from '../../model/reading.ts';
import { type Json, record, text } from '../../util/json.ts';
import type { Over, Reader } from '../client/transport.ts';
import { listObjects, namespacePath, namespacesPath, readNamed } from './objects.ts';

export const readNamespace: Over<Reader, Cluster['readNamespace']> = async (transport, name, abort) => {
  const reading = await readNamed(transport, { path: namespacePath(name), kind: 'Namespace', name }, abort);
  return reading.kind === 'Present' ? present(reading.body) : reading;
};

export const listNamespaces: Over<Reader, Cluster['listNamespaces']> = (
  transport,
  labelSelector,
  token,
  abort,
) => {
  const namespaces = {
    path: namespacesPath,
    kind: 'NamespaceList',
    // The applied manifest is in an annotation, too: some KB.
    pageSize: 100,
    labelSelector,
    narrow: (item: Json) => ({ name: text(record(item['metadata'])['name']) ?? '', reading: present(item) }),
  };
  return listObjects(transport, namespaces, token, abort);
};

/** Of its annotations, which may have 256 KiB, only the one that opts out is kept. */
function present({ metadata }: Json): NamespaceReading {
  const { annotations, uid: given } = record(metadata);
  const skip = text(record(annotations)[ownKeys.skip])?.slice(0, bounds.value);
  const uid = text(given);
  return {
    kind: 'Present',
    annotations: skip === undefined ? {} : { [ownKeys.skip]: skip },
    ...(uid !== undefined && { uid }),
  };
}
