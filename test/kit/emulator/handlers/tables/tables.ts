import type { Job, KubeObject, Pod } from '../../world/objects.ts';
import { badRequest } from '../status.ts';
import {
  age,
  ageColumn,
  type Column,
  column,
  humanDuration,
  nameColumn,
  podCells,
  podColumns,
  podRowConditions,
} from './pods.ts';

/** How much of each object a Table includes beside the cells. */
type IncludeObject = 'None' | 'Metadata' | 'Object';

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

function metadataOf({ metadata }: KubeObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

interface Printer {
  readonly columns: readonly Column[];
  readonly cells: (object: KubeObject, now: Date) => readonly unknown[];
}

const created = (object: KubeObject, now: Date) => age(object.metadata.creationTimestamp, now);

/** A real server has columns of their own for many of these kinds. */
const plain: Printer = {
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name, created(object, now)],
};

const jobs: Printer = {
  columns: [
    nameColumn,
    column('Status'),
    column('Completions'),
    column('Duration', 'Time required to complete the job.'),
    ageColumn,
    column('Containers', 'Names of each container in the template.', 1),
    column('Images', 'Images referenced by each container in the template.', 1),
    column('Selector', '', 1),
  ],
  cells(object, now) {
    const job = object as Job;
    const { startTime, completionTime, succeeded = 0 } = job.status;
    const end = completionTime ? Date.parse(completionTime) : now.getTime();
    const containers = job.spec.template.spec.containers;
    return [
      job.metadata.name,
      jobStatus(job),
      `${succeeded}/${job.spec.completions ?? 1}`,
      startTime ? humanDuration(end - Date.parse(startTime)) : '',
      created(job, now),
      containers.map(({ name }) => name).join(','),
      containers.map(({ image }) => image).join(','),
      Object.entries((job.spec['selector'] as { matchLabels?: object })?.matchLabels ?? {})
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
    ];
  },
};

function jobStatus(job: Job): string {
  const holds = (type: string) =>
    job.status.conditions?.some((each) => each.type === type && each.status === 'True');
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function printerOf(resource: string): Printer {
  return resource === 'jobs' ? jobs : plain;
}
