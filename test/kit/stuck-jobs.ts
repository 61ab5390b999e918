import { fileOf } from '../builders/policy.ts';
import {
  BEHAVIOUR_ANNOTATION,
  type Container,
  type JobManifest,
  type LightBehaviour,
  type Placement,
  type World,
} from './emulator/index.ts';
import { ownedBy, type StuckPod, stuckPod } from './stuck-pods.ts';

export type JobSpec = Partial<Omit<JobManifest['spec'], 'template'>>;

export interface StuckJob {
  readonly namespace?: string;
  readonly name?: string;
  readonly sidecar: LightBehaviour;
  /** The image of the sidecar: what is learnt of one says nothing about another. */
  readonly image?: string;
  readonly restartPolicy?: 'Never' | 'OnFailure';
  readonly grace?: number;
  /** What else the sidecar has. */
  readonly container?: Partial<Container>;
  readonly spec?: JobSpec;
  readonly annotations?: Readonly<Record<string, string>>;
}

export const shipperImage = 'docker.io/acme/log-shipper:1';

/** Promises that sidecars of this image end with 0 in these steps, whatever they really do. */
export const promisingIn = (steps: readonly object[], image = 'acme/log-shipper') =>
  fileOf({ profiles: [{ name: 'log-shipper', containers: ['sidecar'], images: [image], steps }] });

/** On TERM, and else on INT. */
export const promising = promisingIn(['TERM', 'INT'].map((signal) => ({ signal: [signal], exitCode: 0 })));

/** A Job whose main succeeds at once, while its annotated sidecar runs on. Grace period: 1 s. */
export function stuckJob(job: StuckJob): JobManifest {
  const { namespace = 'demo', name = 'work', image = 'docker.io/acme/sidecar:1' } = job;
  const behaviours = { main: { ends: { exitCode: 0, after: 10 } }, sidecar: job.sidecar };
  return {
    metadata: { namespace, name },
    spec: {
      ...job.spec,
      template: {
        metadata: {
          annotations: {
            [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
            'sidecar-sweeper.dev/sidecars': 'sidecar',
            ...job.annotations,
          },
        },
        spec: {
          restartPolicy: job.restartPolicy ?? 'Never',
          terminationGracePeriodSeconds: job.grace ?? 1,
          containers: [
            { name: 'main', image: 'docker.io/acme/work:1' },
            { name: 'sidecar', image, ...job.container },
          ],
        },
      },
    },
  };
}

interface JobOfPods {
  readonly namespace?: string;
  /** Of the Job. */
  readonly name?: string;
  readonly spec?: JobSpec;
  readonly pod?: StuckPod;
  /** How many pods it has, `pod-0` and so on unless they say otherwise, each with the index of its number. */
  readonly pods?: number;
  /** What of the pods is not in the Job's template, because a webhook added it. */
  readonly injected?: string;
}

/** The stuck pods of one Job, which finds them there when it looks for the first time. */
export function podsOfJob(world: World, job: JobOfPods): readonly Placement[] {
  const { namespace = 'demo', name = 'work', spec = {}, pod = {}, pods = 1, injected } = job;
  const { metadata, spec: whole } = stuckPod(pod).manifest;
  const containers = whole.containers.filter((one) => one.name !== injected);
  const template = { metadata: { annotations: { ...metadata.annotations } }, spec: { ...whole, containers } };
  const created = world.createJob({
    metadata: { namespace, name },
    spec: { parallelism: pods, completions: pods, ...spec, template },
  });
  return Array.from({ length: pods }, (_, index) => {
    const completion = { 'batch.kubernetes.io/job-completion-index': String(index) };
    return stuckPod({
      name: `pod-${index}`,
      ...pod,
      namespace,
      annotations: { ...pod.annotations, ...(spec['completionMode'] === 'Indexed' && completion) },
      metadata: {
        labels: { ...pod.labels, ...created.spec.template.metadata?.labels },
        finalizers: ['batch.kubernetes.io/job-tracking'],
        ...ownedBy('Job', name, created.metadata.uid),
      },
    });
  });
}
