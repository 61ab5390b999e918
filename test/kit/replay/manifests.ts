import type { KubeObject, Pod } from '../emulator/index.ts';
import { type Recording, readRecording } from './recording.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** A Job as applied to the real cluster, from its last-applied annotation. */
export function asApplied({ metadata }: KubeObject): KubeObject {
  const applied = metadata.annotations?.[lastApplied] ?? '{}';
  const manifest = JSON.parse(applied) as KubeObject;
  const annotations = { ...manifest.metadata.annotations, [lastApplied]: applied };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

export function recordedJobs(): readonly KubeObject[] {
  return (readRecording('jobs-after.json').items ?? []).map(asApplied);
}

export function recordedJob(name: string): KubeObject {
  const job = recordedJobs().find(({ metadata }) => metadata.name === name);
  if (!job) throw new Error(`no Job ${name} was recorded`);
  return job;
}

export function namespaceOf({ podBefore }: Recording): string {
  return podBefore?.metadata.namespace ?? 'demo';
}

/** The Job of a recording: one of the first session, or one from what is known of its manifest and its pod. */
export function jobOf(recording: Recording): KubeObject {
  const { podBefore, jobBefore, jobSpec } = recording;
  const name = podBefore?.metadata.labels?.['job-name'] ?? '';
  const known = recordedJobs().find(({ metadata }) => metadata.name === name);
  if (known || !podBefore) return known ?? recordedJob(name);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: namespaceOf(recording) },
    spec: { ...jobBefore?.spec, ...jobSpec, template: { spec: manifestOf(podBefore.spec) } },
  } as unknown as KubeObject;
}

/** A pod's spec without what the server adds. */
function manifestOf({ containers, restartPolicy, terminationGracePeriodSeconds }: Pod['spec']): object {
  return {
    restartPolicy,
    terminationGracePeriodSeconds,
    containers: containers.map(({ volumeMounts, ...container }) => container),
  };
}

export function recordedPod(name: string): Pod {
  const pod = readRecording('pods-after.json').items?.find((item) => item.metadata.name === name);
  if (!pod) throw new Error(`no pod ${name} was recorded`);
  return pod as Pod;
}

/** The bare pod of the second session: its main container exits at once, its sidecar on TERM. */
export function barePod(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'demo', labels: { app: name } },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      containers: [
        { name: 'main', image: 'docker.io/local/busybox:1', command: ['sh', '-c', 'echo main-done'] },
        {
          name: 'sidecar',
          image: 'docker.io/local/busybox:1',
          command: ['sh', '-c', 'echo side-up; trap "exit 0" TERM; while :; do sleep 1 & wait; done'],
        },
      ],
    },
  };
}
