import { defaults } from './defaults.ts';
import type { Emit } from './events.ts';
import { describeFault } from './fault.ts';
import { createJobReader, type JobReader } from './gather/jobs.ts';
import { createNodeReader } from './gather/nodes.ts';
import { explain } from './judge/explain.ts';
import { jobOf } from './pod/owner.ts';
import type { Policy } from './policy/policy.ts';
import type { Cluster } from './ports.ts';
import { prepare } from './prepare.ts';
import { type PodExplanation, reportExplanation } from './report/explain/explanation.ts';
import { createSlots } from './slots.ts';
import type { Facts, PodName, PodReading, PodView, Warning } from './vocabulary.ts';

export interface ExplainOptions {
  readonly pod: PodName;
  readonly policy: Policy;
  readonly cluster: Pick<
    Cluster,
    'readPod' | 'readJob' | 'listJobs' | 'readNode' | 'listNodes' | 'mayI' | 'listJobPods' | 'swapImages'
  >;
  readonly where: PodExplanation['cluster'];
  /** What is known before anything is read. */
  readonly warnings: readonly Warning[];
  readonly self: Facts['self'];
  readonly stop: AbortSignal;
}

export type Explained =
  | { readonly kind: 'Explained'; readonly explanation: PodExplanation }
  | { readonly kind: 'Unread'; readonly reading: Exclude<PodReading, { readonly kind: 'Present' }> };

/** Reads a pod and everything that its verdict depends on, and explains the verdict. */
export async function explainPod(options: ExplainOptions): Promise<Explained> {
  const { cluster, policy, self, stop } = options;
  const warnings = [...options.warnings];
  const emit: Emit = (event) => {
    if (event.kind === 'Warned') warnings.push(event.warning);
    // There is no other pod to go on with.
    if (event.kind === 'FaultFound') throw new Error(describeFault(event.fault));
  };
  const reading = await cluster.readPod(options.pod, stop);
  if (reading.kind !== 'Present') return { kind: 'Unread', reading };
  const { pod, asOf } = reading;
  const jobs = createJobReader(cluster, emit);
  const facts: Facts = {
    ...(await readTemplate(pod, jobs, stop)),
    ...(await readNode(pod, cluster, emit, stop)),
    self,
  };
  const explanation = explain(pod, policy, asOf, facts);
  const { verdict } = explanation;
  const slots = createSlots(defaults.concurrency);
  const planned =
    verdict.kind === 'Candidate'
      ? await prepare([verdict], { policy, cluster, facts, jobs, slots, emit, stop, asOf })
      : undefined;
  warnings.push(...(planned?.warnings ?? []));
  const context = { cluster: options.where, asOf, warnings, plan: planned?.pods[0] };
  return { kind: 'Explained', explanation: reportExplanation(explanation, context) };
}

/** Reads the owning Job's template, even if it cannot change the verdict. */
async function readTemplate(
  pod: PodView,
  jobs: JobReader,
  stop: AbortSignal,
): Promise<Pick<Facts, 'jobContainers' | 'jobNativeSidecars'>> {
  const owner = jobOf(pod);
  const reading = owner && (await jobs.read(pod.ref.namespace, owner, stop));
  if (!owner || reading?.kind !== 'Present')
    return { jobContainers: new Map(), jobNativeSidecars: new Map() };
  const { containers, nativeSidecars } = reading.job;
  return {
    jobContainers: new Map([[owner.uid, containers]]),
    jobNativeSidecars: new Map([[owner.uid, nativeSidecars]]),
  };
}

async function readNode(
  { node }: PodView,
  cluster: Pick<Cluster, 'readNode' | 'listNodes'>,
  emit: Emit,
  stop: AbortSignal,
): Promise<Pick<Facts, 'unreadyNodes' | 'platforms'>> {
  if (node === undefined) return { unreadyNodes: new Map(), platforms: new Map() };
  const reading = await createNodeReader(cluster, emit).read(node, stop);
  return {
    unreadyNodes: new Map(reading.kind === 'NotReady' ? [[node, reading.reason]] : []),
    platforms: new Map(reading.kind === 'Ready' ? [[node, reading.platform]] : []),
  };
}
