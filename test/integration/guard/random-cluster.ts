import { BEHAVIOUR_ANNOTATION, type JobManifest, type LightBehaviour } from '../../kit/emulator/index.ts';
import { grace } from '../../kit/random/random-behaviour.ts';

/** Jobs whose sidecars share a few images. Sidecars with equal images and arguments behave alike. */
export interface RandomCluster {
  /** For each image, the behaviour of a sidecar by its arguments. */
  readonly images: readonly (readonly LightBehaviour[])[];
  readonly jobs: readonly RandomJob[];
}

interface RandomJob {
  readonly image: number;
  readonly way: number;
  readonly pods: number;
  readonly restartPolicy: 'Never' | 'OnFailure';
  readonly mainExitCode: number;
  /** The sweep that it precedes. */
  readonly comes: number;
  /** Whether it has Argo's kill command, in addition to signals. */
  readonly hasKillCommand: boolean;
}

/** The manifests of the Jobs that precede a sweep. */
export function manifestsOf(
  { images, jobs }: RandomCluster,
  sweep: number,
  namespace: string,
): readonly JobManifest[] {
  return jobs.flatMap((one, index) => {
    const { image, way, pods, restartPolicy, mainExitCode, comes, hasKillCommand } = one;
    if (comes !== sweep) return [];
    const behaviours = {
      main: { ends: { exitCode: mainExitCode, after: 500 } },
      sidecar: images[image]?.[way] ?? {},
    };
    const annotations = {
      [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
      'sidecar-sweeper.dev/sidecars': 'sidecar',
      ...(hasKillCommand && { 'workflows.argoproj.io/kill-cmd-sidecar': '["sh", "-c", "kill -%d 1"]' }),
    };
    return {
      metadata: { namespace, name: `job-${index}` },
      spec: {
        parallelism: pods,
        completions: pods,
        backoffLimit: 100,
        template: {
          metadata: { annotations },
          spec: {
            restartPolicy,
            terminationGracePeriodSeconds: grace / 1_000,
            containers: [
              { name: 'main', image: 'docker.io/acme/work:1' },
              { name: 'sidecar', image: `docker.io/acme/sidecar-${image}:1`, args: [`--way=${way}`] },
            ],
          },
        },
      },
    };
  });
}
