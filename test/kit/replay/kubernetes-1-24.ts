import { isDeepStrictEqual } from 'node:util';
import type { Job, Pod } from '../emulator/index.ts';
import type { JobMoment, Moment, Observations, Recording } from './recording.ts';

/*
 * The emulator is a Kubernetes 1.36. Some recordings are of a 1.24, which lacks fields that were added later,
 * and whose recorder polled once in a while. These functions leave of both sides only what both can show.
 */

export function isOf124({ kubernetes }: Recording): boolean {
  return kubernetes === 'v1.24';
}

/** An observation without what 1.24 does not write. */
export function asIn124(name: keyof Observations, value: unknown): unknown {
  if (value === undefined) return value;
  switch (name) {
    case 'podBefore':
      return podOf(value as Pod);
    case 'podStatusAfter':
      return (value as readonly PodAfter[]).map((pod) => podAfterOf(pod));
    case 'jobStatusAfter':
      return jobStatusOf(value as Job['status']);
    case 'jobBefore': {
      const { spec, status } = value as Pick<Job, 'spec' | 'status'>;
      return { spec, status: jobStatusOf(status) };
    }
    case 'timeline':
      return timelineOf(value as readonly (Moment | JobMoment)[]);
    default:
      return value;
  }
}

type PodAfter = { readonly name: string; readonly status?: Pod['status'] };

/** Some recordings have only the phase and the containers of the pods that are left. */
function podAfterOf({ name, status, ...short }: PodAfter) {
  const whole = status ?? (short as Pod['status']);
  const { phase, containerStatuses } = podStatusOf(whole);
  return { name, phase, containerStatuses };
}

function podOf({ metadata, spec, status, ...rest }: Pod) {
  const { generation, finalizers, labels = {}, ...known } = metadata;
  const old = Object.entries(labels).filter(([label]) => !label.startsWith('batch.kubernetes.io/'));
  const { volumes, ...others } = JSON.parse(JSON.stringify(spec)) as Pod['spec'];
  const sources = JSON.stringify(volumes).replace(
    /,\{"configMap":\{"name":"openshift-service-ca.crt","items":\[[^\]]*\]\}\}/g,
    '',
  );
  return {
    ...rest,
    metadata: { ...known, labels: Object.fromEntries(old) },
    spec: { ...others, volumes: JSON.parse(sources) },
    status: podStatusOf(status),
  };
}

export function podStatusOf(status: Pod['status']) {
  const { observedGeneration, hostIPs, resources, conditions = [], containerStatuses = [], ...rest } = status;
  return {
    ...rest,
    conditions: conditions
      .filter(({ type }) => type !== 'PodReadyToStartContainers')
      .map(({ observedGeneration, ...condition }) => condition),
    containerStatuses: containerStatuses.map(({ resources, volumeMounts, user, ...container }) => ({
      ...container,
      state: JSON.parse(JSON.stringify(container.state).replace(': unknown"', '"')),
      // The kubelet of 1.24 soon deletes containers that have ended, and forgets them.
      lastState: {},
    })),
  };
}

function jobStatusOf(status: Job['status']) {
  const { terminating, uncountedTerminatedPods, conditions, ...rest } = status;
  const known = conditions
    ?.filter(({ type }) => type === 'Complete' || type === 'Failed')
    .map(({ reason, message, ...condition }) =>
      condition.type === 'Complete' ? condition : { ...condition, reason, message },
    );
  return known ? { ...rest, conditions: known } : rest;
}

/** Without last exit codes, without runs that ended at once, and of a pod's deletion only that it began. */
function timelineOf(moments: readonly (Moment | JobMoment)[]) {
  const kept = moments
    .filter((moment) => !('patchedBack' in moment))
    .filter((moment, index, all) => !endsAtOnce(moment, all[index + 1]))
    .map((moment) => ('pods' in moment ? jobMomentOf(moment) : momentOf(moment)));
  return kept.filter((moment, index) => !isDeepStrictEqual(moment, kept[index - 1]));
}

/** A deleted pod is gone as soon as it has ended, so nobody saw its last phase. */
function jobMomentOf({ ms, pods, ...moment }: JobMoment) {
  const seen = new Map<string, number>();
  for (const [phase, count] of Object.entries(pods)) {
    const known = phase.endsWith('/deleting') ? 'deleting' : phase;
    seen.set(known, (seen.get(known) ?? 0) + count);
  }
  return { ...moment, pods: Object.fromEntries(seen) };
}

function momentOf({ phase, deleting, gone, containers = [] }: Moment) {
  if (gone) return { gone };
  const seen = containers.map(({ lastExitCode, ...container }) => container);
  if (!deleting) return { phase, containers: seen };
  return {
    deleting,
    containers: seen.map(({ name, image, restartCount }) => ({ name, image, restartCount })),
  };
}

/** Whether all that changes next is that a container has ended. */
function endsAtOnce(moment: Moment | JobMoment, next: Moment | JobMoment | undefined): boolean {
  if (!('containers' in moment) || !next || !('containers' in next) || next.deleting) return false;
  return (moment.containers ?? []).some(
    ({ state, restartCount }, index) =>
      state === 'running' &&
      restartCount > 0 &&
      next.containers?.[index]?.state !== 'running' &&
      next.containers?.[index]?.restartCount === restartCount,
  );
}
