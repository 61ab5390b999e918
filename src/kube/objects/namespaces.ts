import type { ListedNamespace, NamespaceReading, ObjectPage, PageToken } from '../../model/reading.ts';
import type { Reader } from '../client/transport.ts';
import { type Json, record, text } from '../json.ts';
import { listObjects, namespacePath, namespacesPath, readNamed } from './objects.ts';

/** Reads what a namespace's owner says about it. */
export async function readNamespace(
  transport: Reader,
  name: string,
  abort: AbortSignal,
): Promise<NamespaceReading> {
  const reading = await readNamed(transport, { path: namespacePath(name), kind: 'Namespace', name }, abort);
  return reading.kind === 'Present' ? present(reading.body) : reading;
}

/** Reads a page of the namespaces, or of those with these labels. */
export function listNamespaces(
  transport: Reader,
  labelSelector: string | undefined,
  token: PageToken,
  abort: AbortSignal,
): Promise<ObjectPage<ListedNamespace>> {
  const namespaces = {
    path: namespacesPath,
    kind: 'NamespaceList',
    // What was applied is in an annotation, too: some KB.
    pageSize: 100,
    labelSelector,
    narrow: (item: Json) => ({ name: text(record(item['metadata'])['name']) ?? '', reading: present(item) }),
  };
  return listObjects(transport, namespaces, token, abort);
}

function present({ metadata }: Json): NamespaceReading {
  const { annotations: all, uid: given } = record(metadata);
  const annotations = Object.entries(record(all)).flatMap(([key, value]) => {
    const said = text(value);
    return said === undefined ? [] : [[key, said] as const];
  });
  const uid = text(given);
  return { kind: 'Present', annotations: Object.fromEntries(annotations), ...(uid !== undefined && { uid }) };
}
