import { createGatherer, type GatherOptions } from './facts/gather.ts';
import { createJobReader } from './facts/job-reader.ts';
import { readNotes } from './facts/notes.ts';
import { prepare } from './facts/prepare.ts';
import { reportMissing, selectNamespaces } from './facts/readers.ts';
import { learnUnseenEnds } from './facts/unseen-ends.ts';
import { explain } from './judge/judge.ts';
import { needs, withGrant } from './methods/permissions.ts';
import type { PodName } from './model/pod.ts';
import type { Cluster, Connected, Notebook } from './model/ports.ts';
import { describeFault, type PodReading } from './model/reading.ts';
import type { Emit } from './plan/sweep-event.ts';
import type { Policy } from './policy/policy.ts';
import { type PodExplanation, reportExplanation } from './report/explain/explanation.ts';
import { byName } from './report/names.ts';
import { describeUnread } from './report/texts/warnings.ts';
import { createSlots } from './util/concurrency.ts';
import { aheadBy, systemClock } from './util/time.ts';

interface ExplainOptions extends Pick<GatherOptions, 'policy' | 'self' | 'stop'> {
  readonly pod: PodName;
  readonly cluster: Omit<Cluster, 'findPods' | 'listPods'> & Connected;
  readonly notebook?: Notebook | undefined;
}

type Explained =
  /** `unread`: its namespace, if that cannot be read. */
  | { readonly kind: 'Explained'; readonly explanation: PodExplanation; readonly unread: readonly string[] }
  | { readonly kind: 'Unread'; readonly why: string };

export async function explainPod(options: ExplainOptions): Promise<Explained> {
  const { cluster, policy, stop } = options;
  const warnings = [...cluster.warnings];
  const unread: string[] = [];
  const emit: Emit = (event) => {
    if (event.kind === 'Warned') warnings.push(event.warning);
    if (event.kind === 'ReadFailed') unread.push(describeUnread(event));
    // There is no other pod to continue with.
    if (event.kind === 'FaultFound') throw new Error(describeFault(event.fault));
  };
  const reading = await cluster.readPod(options.pod, stop);
  if (reading.kind !== 'Present') return { kind: 'Unread', why: await whyUnread(reading, options) };
  const { pod, asOf } = reading;
  const slots = createSlots();
  const read = { ...options, emit, slots, jobs: createJobReader(cluster, emit, slots) };
  const selected = await selectNamespaces(policy.scope, cluster, stop);
  const gatherer = createGatherer({ ...read, selected });
  await gatherer.readAllAbout(pod);
  const { facts } = gatherer;
  const explanation = explain(pod, policy, asOf, facts);
  const { verdict } = explanation;
  const notes = await readNotes(options.notebook, systemClock, stop, aheadBy(asOf, systemClock));
  // Namespaces do not share promises.
  const unseen = notes.unseen.filter(({ namespace }) => namespace === pod.ref.namespace);
  await learnUnseenEnds({ ...notes, unseen }, { ...read, clock: systemClock });
  const planned =
    verdict.kind === 'Candidate' ? await prepare([verdict], { ...read, notes, facts, asOf }) : undefined;
  warnings.push(...(planned?.warnings ?? []));
  const where = { context: cluster.context, server: cluster.server };
  const context = { cluster: where, asOf, scope: policy.scope, warnings, plan: planned?.pods[0] };
  return { kind: 'Explained', explanation: reportExplanation(explanation, context), unread };
}

async function whyUnread(
  reading: Exclude<PodReading, { readonly kind: 'Present' }>,
  { pod: { namespace, name }, cluster, stop }: ExplainOptions,
): Promise<string> {
  const pod = `the pod ${namespace}/${name}`;
  if (reading.kind === 'Unreadable')
    return `${pod} cannot be read: ${withGrant(reading.problem, needs.pods.rules)}`;
  const { kind } = await cluster.readNamespace(namespace, stop);
  if (kind !== 'Gone') return `${pod} does not exist`;
  return `namespace ${namespace} does not exist: pods are named NAMESPACE/POD`;
}

/** The pods of the policy's scope that could be stuck, and what could not be listed. */
export async function selectPods(
  policy: Policy,
  cluster: Pick<Cluster, 'findPods' | 'listNamespaces' | 'readNamespace'>,
  stop: AbortSignal,
): Promise<{ readonly pods: readonly PodName[]; readonly unread: readonly string[] }> {
  const { scope, problem } = await selectNamespaces(policy.scope, cluster, stop);
  const pods: PodName[] = [];
  const unread = problem ? [describeUnread({ namespace: undefined, problem, what: 'Namespace' })] : [];
  for await (const part of scope ? cluster.findPods(scope, stop) : []) {
    if (part.kind === 'Failed') unread.push(describeUnread(part));
    if (part.kind === 'Page') pods.push(...part.pods.map(({ ref }) => ref), ...part.atWork);
  }
  const emit: Emit = (event) => {
    if (event.kind === 'ReadFailed') unread.push(describeUnread(event));
  };
  const empty = policy.scope.namespaces.filter((name) => !pods.some(({ namespace }) => namespace === name));
  await reportMissing(empty, { cluster, slots: createSlots(1), emit, stop });
  return { pods: pods.sort(byName), unread };
}
