import { fileOf } from '../builders/policy.ts';
import { BEHAVIOUR_ANNOTATION, type JobManifest, type LightBehaviour } from './emulator/index.ts';

export type JobSpec = Partial<Omit<JobManifest['spec'], 'template'>>;

export interface StuckJob {
  readonly namespace?: string;
  readonly name?: string;
  readonly sidecar: LightBehaviour;
  /** The image of the sidecar: what is learnt of one says nothing about another. */
  readonly image?: string;
  readonly restartPolicy?: 'Never' | 'OnFailure';
  readonly grace?: number;
  readonly spec?: JobSpec;
}

export const shipperImage = 'docker.io/acme/log-shipper:1';

/** Promises that a sidecar of this image ends with 0 on TERM, and else on INT, whatever it really does. */
export const promising = fileOf({
  profiles: [
    {
      name: 'log-shipper',
      containers: ['sidecar'],
      images: ['acme/log-shipper'],
      steps: [
        { signal: ['TERM'], exitCode: 0 },
        { signal: ['INT'], exitCode: 0 },
      ],
    },
  ],
});

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
          },
        },
        spec: {
          restartPolicy: job.restartPolicy ?? 'Never',
          terminationGracePeriodSeconds: job.grace ?? 1,
          containers: [
            { name: 'main', image: 'docker.io/acme/work:1' },
            { name: 'sidecar', image },
          ],
        },
      },
    },
  };
}
