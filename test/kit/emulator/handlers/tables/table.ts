import type { KubeObject, Pod } from '../../world/objects.ts';
import { badRequest } from '../status.ts';
import { printerOf } from './other-kinds.ts';
import { podCells, podColumns, podRowConditions } from './pods.ts';

/** How much of each object a Table includes beside the cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export function readIncludeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') || 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(`unrecognized includeObject value: "${value}"`);
}

/** The Table that kubectl requests for `get`. */
export function tableOf(
  resource: string,
  objects: readonly KubeObject[],
  metadata: object,
  include: IncludeObject,
  now: Date,
): object {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: resource === 'pods' ? podColumns : printerOf(resource).columns,
    rows: objects.map((object) => rowOf(resource, object, include, now)),
  };
}

function rowOf(resource: string, object: KubeObject, include: IncludeObject, now: Date): object {
  const cells = resource === 'pods' ? podCells(object as Pod, now) : printerOf(resource).cells(object, now);
  const conditions = resource === 'pods' ? podRowConditions(object as Pod) : {};
  return { cells, ...conditions, object: shown(object, include) };
}

function shown(object: KubeObject, include: IncludeObject): unknown {
  switch (include) {
    case 'None':
      return null;
    case 'Metadata':
      return metadataOf(object);
    case 'Object':
      return object;
  }
}

export function metadataOf({ metadata }: KubeObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}
