import { readRecording } from '../../replay/recording.ts';
import type { ContainerStatus, Job, KubeObject, Pod } from '../world/objects.ts';
import { badRequest } from './status.ts';

/** The Table that kubectl requests for `get`. `include` is how much of each object it has beside the cells. */
export function tableOf(
  resource: string,
  objects: readonly KubeObject[],
  metadata: object,
  include: string | null,
  now: Date,
): object {
  const { columns, cells } = printers[resource] ?? plain;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns,
    rows: objects.map((object) => ({
      cells: cells(object, now),
      ...(resource === 'pods' ? rowConditions(object as Pod) : {}),
      object: shown(object, include || 'Metadata'),
    })),
  };
}

function shown(object: KubeObject, include: string): unknown {
  switch (include) {
    case 'None':
      return null;
    case 'Metadata':
      return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
    case 'Object':
      return object;
    default:
      throw badRequest(`unrecognized includeObject value: "${include}"`);
  }
}

/** A column of a Table; `kubectl get` shows priority 1 only with `-o wide`. */
interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer';
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

function column(name: string, description = ''): Column {
  return { name, type: 'string', format: '', description, priority: 0 };
}

/** The columns of pods, with what the API server says of each. */
const [recorded] = readRecording('table-list.json').exchanges ?? [];
const podColumns: readonly Column[] = Object(recorded?.body).columnDefinitions;

function columnOf(name: string): Column {
  return podColumns.find((one) => one.name === name) ?? column(name);
}

const nameColumn = columnOf('Name');
const ageColumn = columnOf('Age');

interface Printer {
  readonly columns: readonly Column[];
  readonly cells: (object: KubeObject, now: Date) => readonly unknown[];
}

/** A real server has columns of their own for many of these kinds. */
const plain: Printer = {
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name, ageOf(object, now)],
};

/** Without the columns that `kubectl get -o wide` adds. */
const jobs: Printer = {
  columns: [
    nameColumn,
    column('Status'),
    column('Completions'),
    column('Duration', 'Time required to complete the job.'),
    ageColumn,
  ],
  cells(object, now) {
    const job = object as Job;
    const { startTime, completionTime, succeeded = 0 } = job.status;
    const end = completionTime ? Date.parse(completionTime) : now.getTime();
    return [
      job.metadata.name,
      jobStatus(job),
      `${succeeded}/${job.spec.completions ?? 1}`,
      startTime ? humanDuration(end - Date.parse(startTime)) : '',
      ageOf(job, now),
    ];
  },
};

function jobStatus({ metadata, status }: Job): string {
  const holds = (type: string) =>
    status.conditions?.some((each) => each.type === type && each.status === 'True');
  const shown = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
  return ['Complete', 'Failed'].find(holds) ?? (metadata.deletionTimestamp ? 'Terminating' : shown);
}

const pods: Printer = {
  columns: podColumns,
  cells(object, now) {
    const pod = object as Pod;
    const { ready, total, reason, restarts, lastRestart } = summarizePod(pod);
    return [
      pod.metadata.name,
      `${ready}/${total}`,
      reason,
      restarts > 0 && lastRestart ? `${restarts} (${age(lastRestart, now)} ago)` : String(restarts),
      ageOf(pod, now),
      pod.status['podIP'] ?? '<none>',
      pod.spec.nodeName ?? '<none>',
      pod.status['nominatedNodeName'] ?? '<none>',
      '<none>',
    ];
  },
};

const printers: Readonly<Record<string, Printer>> = { pods, jobs };

/** The row conditions of a finished pod, which let clients hide it. */
function rowConditions({ status: { phase } }: Pod): { conditions?: readonly unknown[] } {
  if (phase !== 'Succeeded' && phase !== 'Failed') return {};
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.';
  return { conditions: [{ type: 'Completed', status: 'True', reason: phase, message }] };
}

/** A duration as kubectl shows ages: `9s`, `3m12s`, `4h`, `2d3h`. */
function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  return days < 8 ? withRest(days, 'd', hours % 24, 'h') : `${days}d`;
}

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${restUnit}`;
}

function age(timestamp: string, now: Date): string {
  return humanDuration(now.getTime() - Date.parse(timestamp));
}

function ageOf({ metadata }: KubeObject, now: Date): string {
  return age(metadata.creationTimestamp, now);
}

/** Follows the API server's printPod: the last container with a reason decides the STATUS. */
function summarizePod(pod: Pod) {
  const { spec, status, metadata } = pod;
  const initContainers = spec.initContainers ?? [];
  const natives = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  const isNative = ({ name }: ContainerStatus) => natives.some((each) => each.name === name);
  const init = summarizeInit(pod, isNative);
  const initializing = init.reason !== undefined && !hasCondition(pod, 'Initialized');
  const gated = status.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  const initial = init.reason ?? (gated ? 'SchedulingGated' : (status.reason ?? status.phase));
  const inits = status.initContainerStatuses ?? [];
  const counted = initializing ? inits : [...inits.filter(isNative), ...(status.containerStatuses ?? [])];
  const main = initializing ? { reason: initial, ready: 0 } : summarizeContainers(pod, initial);
  return {
    ready: init.ready + main.ready,
    total: spec.containers.length + natives.length,
    reason: metadata.deletionTimestamp ? 'Terminating' : main.reason,
    restarts: counted.reduce((sum, { restartCount }) => sum + restartCount, 0),
    /** When the most recently restarted container had ended. */
    lastRestart: counted
      .map(({ lastState }) => lastState.terminated?.finishedAt ?? '')
      .sort()
      .findLast(Boolean),
  };
}

function summarizeInit(
  { spec, status }: Pod,
  isNative: (status: ContainerStatus) => boolean,
): { reason?: string; ready: number } {
  let ready = 0;
  for (const [index, each] of (status.initContainerStatuses ?? []).entries()) {
    const { terminated, waiting } = each.state;
    if (terminated?.exitCode === 0) continue;
    if (isNative(each) && each.started) {
      if (each.ready) ready++;
      continue;
    }
    if (terminated) return { ready, reason: `Init:${endReason(terminated)}` };
    if (waiting?.reason && waiting.reason !== 'PodInitializing') {
      return { ready, reason: `Init:${waiting.reason}` };
    }
    return { ready, reason: `Init:${index}/${spec.initContainers?.length}` };
  }
  return { ready };
}

function summarizeContainers(pod: Pod, initial: string): { reason: string; ready: number } {
  let reason = initial;
  let ready = 0;
  for (const { state, ready: isReady } of (pod.status.containerStatuses ?? []).toReversed()) {
    if (state.waiting?.reason) reason = state.waiting.reason;
    else if (state.terminated) reason = endReason(state.terminated);
    else if (isReady && state.running) ready++;
  }
  if (reason === 'Completed' && ready > 0) reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  return { reason, ready };
}

function endReason({ reason, exitCode }: NonNullable<ContainerStatus['state']['terminated']>): string {
  return reason ?? `ExitCode:${exitCode}`;
}

function hasCondition(pod: Pod, type: string): boolean {
  return pod.status.conditions?.some((each) => each.type === type && each.status === 'True') ?? false;
}
