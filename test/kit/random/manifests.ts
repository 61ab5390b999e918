import {
  BEHAVIOUR_ANNOTATION,
  type JobManifest,
  type LightBehaviour,
  type PodManifest,
} from '../emulator/index.ts';
import { ownedBy } from '../stuck-pods.ts';
import { pullSecret, sleep } from './noop-images.ts';
import { grace, type RandomJob, type RandomSidecar, type Scenario } from './random-cluster.ts';

export interface Manifests {
  readonly jobs: readonly JobManifest[];
  readonly pods: readonly PodManifest[];
}

export function manifestsOf({ images, jobs }: Scenario, sweep: number, namespace: string): Manifests {
  const coming = jobs.flatMap((job, index) => (job.comes === sweep ? [{ job, name: `job-${index}` }] : []));
  const template = (job: RandomJob) => templateOf(job, images);
  return {
    jobs: coming.flatMap(({ job, name }) =>
      job.owner === 'Job' ? { metadata: { namespace, name }, spec: jobSpec(job, template(job)) } : [],
    ),
    pods: coming.flatMap(({ job, name }) => {
      if (job.owner === 'Job') return [];
      const { metadata, spec } = template(job);
      const owner = ownedBy('Job', name, `uid-of-${name}`, 'batch.volcano.sh/v1alpha1');
      return Array.from({ length: job.pods }, (_, index) => ({
        metadata: { ...metadata, ...(job.owner === 'Foreign' && owner), namespace, name: `${name}-${index}` },
        spec,
      }));
    }),
  };
}

type Template = Pick<PodManifest, 'metadata' | 'spec'>;

function jobSpec(job: RandomJob, template: Template): JobManifest['spec'] {
  const { pods, backoffLimit, indexed, restartPolicy, failureRule, maxFailedIndexes } = job;
  const perIndex = indexed === 'LimitPerIndex' && restartPolicy === 'Never';
  return {
    parallelism: pods,
    ...(indexed === 'No' && job.isWorkQueue ? {} : { completions: pods }),
    ...(perIndex ? { backoffLimitPerIndex: backoffLimit % 3 } : { backoffLimit }),
    ...(perIndex && job.hasBothLimits && { backoffLimit }),
    ...(perIndex && maxFailedIndexes !== null && { maxFailedIndexes }),
    ...(indexed === 'No' ? {} : { completionMode: 'Indexed' as const }),
    ...(indexed === 'SuccessPolicy' && {
      successPolicy: { rules: [{ succeededCount: Math.ceil(pods / 2) }] },
    }),
    ...(failureRule && restartPolicy === 'Never' && { podFailurePolicy: { rules: [ruleOf(job, perIndex)] } }),
    template,
  };
}

/** The API server refuses FailIndex without a limit for each index. */
function ruleOf({ failureRule }: RandomJob, perIndex: boolean) {
  const { action = 'Count', exitCodes = [1] } = failureRule ?? {};
  return {
    action: action === 'FailIndex' && !perIndex ? ('FailJob' as const) : action,
    onExitCodes: { operator: 'In' as const, values: [...exitCodes] },
  };
}

function templateOf(job: RandomJob, images: Scenario['images']): Template {
  const { sidecars, mesh, hasNative, restartPolicy, mainExitCode, hasPullSecret } = job;
  const named = sidecars.map((sidecar, index) => ({ sidecar, name: `sidecar-${index}` }));
  const behaviours = {
    main: { ends: { exitCode: mainExitCode, after: 500 } },
    ...Object.fromEntries(named.map(({ sidecar, name }) => [name, endingAs(job, sidecar, images)])),
    ...(mesh !== 'None' && { 'istio-proxy': meshBehaviour(mesh) }),
    native: { on: { SIGTERM: { exitCode: 0, after: 2_000 } } },
  };
  const killCommands = named.flatMap(({ sidecar, name }) =>
    sidecar.hasKillCommand ? [[`workflows.argoproj.io/kill-cmd-${name}`, '["sh", "-c", "kill -%d 1"]']] : [],
  );
  const annotations = {
    [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
    'sidecar-sweeper.dev/sidecars': named.map(({ name }) => name).join(','),
    ...Object.fromEntries(killCommands),
  };
  const proxy = { name: 'istio-proxy', image: 'docker.io/istio/proxyv2:1.26' };
  const native = { name: 'native', image: 'docker.io/acme/native:1', restartPolicy: 'Always' as const };
  return {
    metadata: { name: 'template', annotations },
    spec: {
      restartPolicy,
      terminationGracePeriodSeconds: grace / 1_000,
      ...(hasPullSecret && { imagePullSecrets: [{ name: pullSecret }] }),
      ...(hasNative && { initContainers: [native] }),
      containers: [
        { name: 'main', image: 'docker.io/acme/work:1' },
        ...named.map(({ sidecar, name }) => containerOf(sidecar, name, job)),
        ...(mesh === 'None' ? [] : [proxy]),
      ],
    },
  };
}

/** A sidecar's behaviour as its Job's traits have it. */
function endingAs(
  { ownEnd, isBroken }: RandomJob,
  { image, way, restarts }: RandomSidecar,
  images: Scenario['images'],
): LightBehaviour {
  const behaviour = images[image]?.[way] ?? {};
  const end = behaviour.on?.SIGTERM;
  const withEnv = { name: 'MODE', value: 'broken', exitCode: 143 };
  // One that always starts again would make its Job fail without a sweep.
  const endsItself = ownEnd !== null && restarts !== 'Always';
  return {
    ...behaviour,
    ...(end && isBroken && { on: { SIGTERM: { ...end, withEnv } } }),
    ...(endsItself && { ends: { exitCode: 0, after: ownEnd } }),
  };
}

function meshBehaviour(mesh: 'Quits' | 'Signal') {
  const exit = { exitCode: 0, after: 100 };
  return {
    on: { SIGTERM: exit },
    ...(mesh === 'Quits' && { quit: { ...exit, port: 15_020, path: '/quitquitquit' } }),
  };
}

function containerOf(
  { image, way, command, restarts, hasPreStop }: RandomSidecar,
  name: string,
  { hasPostStart, isBroken }: RandomJob,
) {
  const programs = { Image: undefined, Sleep: sleep, Own: '/opt/own', Mounted: '/mnt/tool/run' };
  const program = programs[command];
  const rule = { action: 'Restart' as const, exitCodes: { operator: 'In' as const, values: [143] } };
  const lifecycle = {
    ...(hasPreStop && { preStop: { sleep: { seconds: 2 } } }),
    ...(hasPostStart && { postStart: { sleep: { seconds: 1 } } }),
  };
  return {
    name,
    image: `docker.io/acme/sidecar-${image}:1`,
    args: [`--way=${way}`],
    ...(program !== undefined && { command: [program] }),
    ...(isBroken && { env: [{ name: 'MODE', value: 'broken' }] }),
    ...(command === 'Mounted' && { volumeMounts: [{ name: 'tools', mountPath: '/mnt/tool' }] }),
    ...((hasPreStop || hasPostStart) && { lifecycle }),
    ...(restarts === 'Always' && { restartPolicy: 'Always' as const }),
    ...(restarts === 'Rule' && { restartPolicy: 'Never' as const, restartPolicyRules: [rule] }),
  };
}
