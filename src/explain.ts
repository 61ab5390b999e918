import { createGatherer } from './facts/gather.ts';
import { createJobReader } from './facts/jobs.ts';
import { createNamespaceReader, narrowed, type Selected, selectNamespaces } from './facts/namespaces.ts';
import { createNodeReader } from './facts/nodes.ts';
import { prepare } from './facts/prepare.ts';
import { explain } from './judge/judge.ts';
import type { Facts } from './model/facts.ts';
import { describeFault } from './model/fault.ts';
import type { PodReading } from './model/observation.ts';
import type { PodName } from './model/pod.ts';
import type { Cluster } from './model/ports.ts';
import type { Warning } from './model/warning.ts';
import type { Emit } from './plan/sweep-event.ts';
import type { Policy } from './policy/policy.ts';
import { type PodExplanation, reportExplanation } from './report/explain/explanation.ts';
import { byName } from './report/order.ts';
import { describeUnread } from './report/texts/warnings.ts';
import { createSlots } from './util/concurrency.ts';

export interface ExplainOptions {
  readonly pod: PodName;
  readonly policy: Policy;
  readonly cluster: Pick<
    Cluster,
    | 'readPod'
    | 'readJob'
    | 'listJobs'
    | 'readNode'
    | 'listNodes'
    | 'readNamespace'
    | 'listNamespaces'
    | 'mayI'
    | 'listJobPods'
    | 'swapImages'
  >;
  readonly where: PodExplanation['cluster'];
  /** What is known before anything is read. */
  readonly warnings: readonly Warning[];
  readonly self: Facts['self'];
  /** How many requests may be in flight. */
  readonly concurrency: number;
  readonly stop: AbortSignal;
}

export type Explained =
  | { readonly kind: 'Explained'; readonly explanation: PodExplanation }
  | { readonly kind: 'Unread'; readonly why: string };

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
  if (reading.kind !== 'Present') return { kind: 'Unread', why: await whyUnread(reading, options) };
  const { pod, asOf } = reading;
  const jobs = createJobReader(cluster, emit);
  const slots = createSlots(options.concurrency);
  const gatherer = createGatherer({
    policy,
    self,
    jobs,
    nodes: createNodeReader(cluster, emit),
    namespaces: createNamespaceReader(cluster, emit),
    selectedNamespaces: selectedOf(await selectNamespaces(policy.scope, cluster, stop)),
    slots,
    abort: stop,
  });
  await gatherer.readAllAbout(pod);
  const { facts } = gatherer;
  const explanation = explain(pod, policy, asOf, facts);
  const { verdict } = explanation;
  const planned =
    verdict.kind === 'Candidate'
      ? await prepare([verdict], { policy, cluster, jobs, slots, emit, stop, asOf })
      : undefined;
  warnings.push(...(planned?.warnings ?? []));
  const context = { cluster: options.where, asOf, warnings, plan: planned?.pods[0], policy };
  return { kind: 'Explained', explanation: reportExplanation(explanation, context) };
}

async function whyUnread(
  reading: Exclude<PodReading, { readonly kind: 'Present' }>,
  { pod: { namespace, name }, cluster, stop }: ExplainOptions,
): Promise<string> {
  if (reading.kind === 'Unreadable') {
    return `the pod ${namespace}/${name} cannot be read: ${reading.problem.message}`;
  }
  const { kind } = await cluster.readNamespace(namespace, stop);
  return kind === 'Gone'
    ? `namespace ${namespace} does not exist`
    : `the pod ${namespace}/${name} does not exist`;
}

/** A namespace that may not be selected counts as not selected. */
function selectedOf(selected: Selected): ReadonlySet<string> | undefined {
  switch (selected.kind) {
    case 'All':
      return undefined;
    case 'Selected':
      return selected.names;
    case 'Unreadable':
      return new Set();
  }
}

/** The pods of the policy's scope that could be stuck, and what could not be listed. */
export async function selectPods(
  { scope }: Policy,
  cluster: Pick<Cluster, 'findPods' | 'listNamespaces'>,
  stop: AbortSignal,
): Promise<{ readonly pods: readonly PodName[]; readonly unread: readonly string[] }> {
  const selected = await selectNamespaces(scope, cluster, stop);
  const pods: PodName[] = [];
  const unread: string[] = [];
  if (selected.kind === 'Unreadable') {
    unread.push(describeUnread({ namespace: undefined, problem: selected.problem, what: 'Namespace' }));
  }
  const narrow = narrowed(scope, selected);
  for await (const part of narrow ? cluster.findPods(narrow, stop) : []) {
    if (part.kind === 'Failed') unread.push(describeUnread(part));
    if (part.kind === 'Page') pods.push(...part.pods.map(({ ref }) => ref), ...(part.atWork ?? []));
  }
  return { pods: pods.sort(byName), unread };
}
