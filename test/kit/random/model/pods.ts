import fc from 'fast-check';
import {
  BEHAVIOUR_ANNOTATION,
  type LightBehaviour,
  type Pod,
  type PodManifest,
} from '../../emulator/index.ts';

/** A pod whose main works until it is told that it is done. */
export interface RandomPod {
  readonly sidecars: readonly (keyof typeof ways)[];
  readonly restartPolicy: 'Never' | 'OnFailure';
  /** Why a sweep leaves it alone, however long its main has been done. */
  readonly trait: 'None' | 'OptedOut' | 'Static';
  readonly judge: Judge;
}

/** Who reads the phase of a pod, and runs work again that has failed: the marks of a platform, or an unknown owner. */
type Judge = 'None' | keyof typeof marks;

const marks = {
  Airflow: { labels: { kubernetes_pod_operator: 'True' } },
  Spark: { labels: { 'spark-role': 'driver' } },
  Helm: { annotations: { 'helm.sh/hook': 'post-install' } },
  ArgoCd: { annotations: { 'argocd.argoproj.io/hook': 'PreSync' } },
  Flyte: { annotations: { primary_container_name: 'main' } },
  Foreign: {
    ownerReferences: [
      {
        apiVersion: 'batch.volcano.sh/v1alpha1',
        kind: 'Job',
        name: 'job',
        uid: 'uid-of-job',
        controller: true,
      },
    ],
  },
} as const satisfies Record<string, Partial<PodManifest['metadata']>>;

/** Marks a pod whose phase another system reads, in a way that only tests know. */
const judgeKey = 'test/judge';

/** Whether a pod that fails costs finished work. */
export function isJudged({ metadata }: Pod): boolean {
  return metadata.annotations?.[judgeKey] !== 'None';
}

/** What the environment of each sidecar holds, and no output may. */
export const password = 'correct-horse-battery-staple';

const grace = 2_000;

const end = (exitCode: number, after: number): LightBehaviour => ({ on: { SIGTERM: { exitCode, after } } });

/** How sidecars react to the signals that they get. */
const ways = {
  Clean: end(0, 100),
  Late: end(0, grace / 2),
  Unclean: end(143, 100),
  TooLate: end(0, grace * 4),
  Stubborn: end(0, 3_600_000),
  Immune: { on: {} },
  ShellLess: { shell: false },
} satisfies Record<string, LightBehaviour>;

/** How the test ends a container of its own accord: no sweep sends these. */
export const done = 'SIGUSR1';
export const crash = 'SIGUSR2';
const byTest = { [done]: { exitCode: 0 }, [crash]: { exitCode: 1 } };

export const randomPod: fc.Arbitrary<RandomPod> = fc.record({
  sidecars: fc.array(
    fc.constantFrom<RandomPod['sidecars'][number][]>(
      ...([
        'Clean',
        'Clean',
        'Clean',
        'Late',
        'Unclean',
        'TooLate',
        'Stubborn',
        'Immune',
        'ShellLess',
      ] as const),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  restartPolicy: fc.constantFrom('Never', 'Never', 'OnFailure'),
  trait: fc.constantFrom<RandomPod['trait'][]>('None', 'None', 'None', 'None', 'None', 'OptedOut', 'Static'),
  judge: fc.oneof(
    { weight: 4, arbitrary: fc.constant('None' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(marks) as (keyof typeof marks)[])) },
  ),
});

/** Each pod has images of its own, so that what one of them teaches is about no other. */
export function manifestOf(pod: RandomPod, namespace: string, name: string): PodManifest {
  const sidecars = pod.sidecars.map((way, index) => ({ name: `sidecar-${index}`, behaviour: ways[way] }));
  const behaviours = {
    main: { on: byTest },
    ...Object.fromEntries(
      sidecars.map(({ name, behaviour }) => [
        name,
        { ...behaviour, on: { ...('on' in behaviour ? behaviour.on : {}), ...byTest } },
      ]),
    ),
  };
  const { labels, annotations, ...owned }: Partial<PodManifest['metadata']> =
    pod.judge === 'None' ? {} : marks[pod.judge];
  return {
    metadata: {
      namespace,
      name,
      ...owned,
      labels: { name, ...labels },
      annotations: {
        ...annotations,
        [judgeKey]: pod.judge,
        [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
        'sidecar-sweeper.dev/sidecars': sidecars.map((one) => one.name).join(','),
        ...(pod.trait === 'OptedOut' && { 'sidecar-sweeper.dev/skip': 'true' }),
        ...(pod.trait === 'Static' && { 'kubernetes.io/config.mirror': 'a1b2c3' }),
      },
    },
    spec: {
      restartPolicy: pod.restartPolicy,
      terminationGracePeriodSeconds: grace / 1_000,
      containers: [
        { name: 'main', image: 'docker.io/acme/work:1' },
        ...sidecars.map((one) => ({
          name: one.name,
          image: `docker.io/acme/${name}-${one.name}:1`,
          env: [{ name: 'PASSWORD', value: password }],
        })),
      ],
    },
  };
}
