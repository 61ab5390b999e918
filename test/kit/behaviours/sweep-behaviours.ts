import { BatchV1Api, CoreV1Api, type V1Pod } from '@kubernetes/client-node';
import type { SweepReport } from '../../../src/report/schema.ts';
import { type CliRun, runCli } from '../cli.ts';
import { policyFlag } from '../policy-flag.ts';
import { type Behaviour, behaviours, jobOf, type SweepName } from './behaviours.ts';
import { type Images, manifestOf } from './jobs.ts';
import type { Site } from './stage.ts';

export interface Swept {
  readonly byName: ReadonlyMap<SweepName, { readonly run: CliRun; readonly report: SweepReport }>;
  /** The first pod of each Job after the sweep; undefined if it no longer exists. */
  readonly podsAfter: ReadonlyMap<string, V1Pod | undefined>;
}

/** Creates every behaviour's Job in a namespace, waits until all are ready, and runs every sweep once. */
export async function sweepBehaviours(
  { config, kubeconfig, images }: Site,
  namespace: string,
): Promise<Swept> {
  const core = config.makeApiClient(CoreV1Api);
  const batch = config.makeApiClient(BatchV1Api);
  for (const behaviour of behaviours) {
    await batch.createNamespacedJob({ namespace, body: manifestOf(jobOf(behaviour, images), images) });
  }
  const firstPods = await untilReady(async () =>
    podsByJob((await core.listNamespacedPod({ namespace })).items),
  );
  const sweeps = Object.entries(sweepsOver(images)) as [SweepName, object][];
  const runs = await Promise.all(
    sweeps.map(async ([name, policy]) => {
      const scope = ['-n', namespace, '-l', `sweep=${name}`, ...policyFlag(policy), '--min-age', '1s'];
      const where = ['--kubeconfig', kubeconfig, '--context', config.getCurrentContext()];
      const run = await runCli([...scope, ...where, '-o', 'json']);
      return [name, { run, report: JSON.parse(run.stdout) as SweepReport }] as const;
    }),
  );
  const podsAfter = new Map<string, V1Pod | undefined>();
  for (const [job, pod] of firstPods) {
    const name = pod.metadata?.name ?? '';
    const after = await core.readNamespacedPod({ namespace, name }).catch(() => undefined);
    podsAfter.set(job, after?.metadata?.uid === pod.metadata?.uid ? after : undefined);
  }
  return { byName: new Map(runs), podsAfter };
}

async function untilReady(
  read: () => Promise<ReadonlyMap<string, V1Pod>>,
): Promise<ReadonlyMap<string, V1Pod>> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const pods = await read();
    const waiting = behaviours.filter((behaviour) => !isReady(behaviour, pods.get(behaviour.name)));
    if (waiting.length === 0) return pods;
    if (Date.now() > deadline) throw new Error(`not ready: ${waiting.map(({ name }) => name).join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Whether a pod has been in its behaviour's initial state for at least two seconds. */
function isReady(behaviour: Behaviour, pod: V1Pod | undefined): boolean {
  const statuses = pod?.status?.containerStatuses ?? [];
  const main = statuses.find(({ name }) => name === 'main');
  const sidecar = statuses.find(({ name }) => name !== 'main');
  if (behaviour.sidecar.native) return pod?.status?.phase === 'Succeeded';
  if (!sidecar?.state?.running) return false;
  switch (behaviour.name) {
    case 'still-working':
      return main?.state?.running !== undefined;
    case 'crash-loop':
      return (main?.restartCount ?? 0) > 0;
    default: {
      const finishedAt = main?.state?.terminated?.finishedAt;
      return finishedAt !== undefined && Date.now() - new Date(finishedAt).getTime() > 2_000;
    }
  }
}

/** The oldest pod of each Job: a Job that reruns creates another one. */
function podsByJob(pods: readonly V1Pod[]): ReadonlyMap<string, V1Pod> {
  const byJob = new Map<string, V1Pod>();
  for (const pod of pods) {
    const job = pod.metadata?.labels?.['batch.kubernetes.io/job-name'];
    if (job !== undefined && !byJob.has(job)) byJob.set(job, pod);
  }
  return byJob;
}

/** The policy of each sweep over the behaviours. Most allow unclean exits, because they test them. */
function sweepsOver(images: Images): Readonly<Record<SweepName, object>> {
  const allow = { uncleanExit: 'allow' };
  const lastResort = (step: object) => ({ ...allow, lastResort: [step] });
  const profile = (name: string, step: object) => ({
    profiles: [{ name, containers: [name], images: ['*'], steps: [step] }],
  });
  return {
    plain: allow,
    http: profile('http', { http: { port: 15_020, path: '/quitquitquit' }, exitCode: 0, grace: '10s' }),
    tombstone: profile('tombstone', { tombstone: { path: '/tmp/exit' }, exitCode: 0, grace: '10s' }),
    'image-swap': lastResort({ imageSwap: { image: images.noop } }),
    'ephemeral-container': lastResort({ ephemeralContainer: { image: images.shell } }),
    deadline: lastResort({ deadline: true }),
    evict: lastResort({ evict: true }),
    delete: lastResort({ delete: true }),
  };
}
