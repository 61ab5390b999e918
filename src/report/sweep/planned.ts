import { mayBeSent } from '../../plan/sweep-plan.ts';
import type { Column } from '../arrange.ts';
import { count, Tally } from '../counts.ts';
import { isCap } from '../exit-code.ts';
import { elapsed, formatCpu, formatMemory, hasNone, sumOf } from '../format.ts';
import type { ContainerReport, PlannedStepReport, PodReport, SweepReport } from '../schema.ts';
import { describeContainer } from '../texts/outcomes.ts';
import { describeCost, takesLogs } from '../texts/steps.ts';
import { type Block, notes, sentence } from '../view.ts';

export type SidecarReport = Extract<ContainerReport, { readonly role: 'Sidecar' }>;

const columns: readonly Column[] = [
  { title: 'NAMESPACE', isName: true },
  { title: 'POD', isName: true },
  { title: 'STUCK FOR', worth: 6 },
  { title: 'SIDECAR' },
  { title: 'CPU', worth: 3 },
  { title: 'MEMORY', worth: 2 },
  { title: 'WOULD DO', worth: 5, isProse: true },
  { title: 'POD THEN', worth: 1 },
  { title: 'JOB THEN', worth: 4 },
  { title: 'ELSE', isProse: true, isWide: true, worth: 7 },
  { title: 'NODE', isWide: true },
  { title: 'OWNER', isWide: true },
  { title: 'IMAGE', isWide: true },
];

/** What a sweep would do: a row for each sidecar, what might go wrong, and what the pods hold until they end. */
export function plannedBlocks({ pods, run, scope }: SweepReport): {
  readonly table: readonly Block[];
  readonly notes: readonly Block[];
} {
  if (pods.length === 0) return { table: [], notes: [] };
  const rows = pods.flatMap((pod) =>
    sidecarsOf(pod).map((sidecar, index) => row(pod, sidecar, index === 0, run.asOf)),
  );
  return {
    table: [{ kind: 'Table', columns, rows }],
    notes: [notes(risks(pods, scope.pods !== undefined), 'yellow'), sentence(whatIsReserved(pods, run.asOf))],
  };
}

/** How many pods something would be sent to, and about how many of their sidecars. */
export function countPlanned({ pods }: SweepReport): { readonly pods: number; readonly sidecars: number } {
  const acts = pods.map((pod) => sidecarsOf(pod).filter((one) => expectedSteps(pod, one).length > 0).length);
  return { pods: acts.filter((sidecars) => sidecars > 0).length, sidecars: acts.reduce((a, b) => a + b, 0) };
}

export function sidecarsOf({ containers }: PodReport): readonly SidecarReport[] {
  return containers.flatMap((container) => (container.role === 'Sidecar' ? container : []));
}

function row(
  pod: PodReport,
  sidecar: SidecarReport,
  isFirst: boolean,
  asOf: string | undefined,
): readonly string[] {
  const { namespace, name, mainsEndedAt, requests, prediction, node = '', owner } = pod;
  const isLeft = isLeftForNext(sidecar);
  return [
    namespace,
    name,
    elapsed(mainsEndedAt, asOf),
    sidecar.name,
    // The requests are the pod's, so only its first row has them.
    isFirst ? formatCpu(requests.cpu) : '',
    isFirst ? formatMemory(requests.memory) : '',
    wouldDo(pod, sidecar),
    isLeft ? '' : prediction.phase === 'Unknown' ? 'unknown' : prediction.phase,
    isLeft ? '' : expectedJob[prediction.job],
    expectedSteps(pod, sidecar)
      .slice(1)
      .map(({ does }) => does)
      .join(', else '),
    node,
    owner ? `${owner.kind}/${owner.name}` : '',
    sidecar.image,
  ];
}

function isLeftForNext({ outcome }: SidecarReport): boolean {
  return outcome.kind === 'NotAttempted' && isCap(outcome.reason);
}

function wouldDo(pod: PodReport, sidecar: SidecarReport): string {
  const [first] = expectedSteps(pod, sidecar);
  if (first) return first.does;
  const isBlocked = sidecar.steps.length + pod.lastResort.length > 0 && !isLeftForNext(sidecar);
  return isBlocked ? 'blocked: finished work would run again or fail' : describeContainer(sidecar.outcome);
}

/** The steps that the guard lets pass, as far as is known before anything is sent. */
function expectedSteps(pod: PodReport, sidecar: SidecarReport): readonly PlannedStepReport[] {
  if (isLeftForNext(sidecar)) return [];
  return [...sidecar.steps, ...pod.lastResort].filter(mayBeSent);
}

const expectedJob: Record<PodReport['prediction']['job'], string> = {
  NoJob: '',
  Completes: 'Complete',
  RunsAgain: 'runs again',
  IndexFails: 'index fails',
  Fails: 'Failed',
  StaysActive: 'active',
  Unknown: 'unknown',
};

/** What might go wrong, each once, with the number of sidecars that it is about, or for each pod that was named. */
function risks(pods: readonly PodReport[], isByName: boolean): readonly string[] {
  const all = new Tally();
  const byName = new Set<string>();
  for (const pod of pods) {
    for (const sidecar of sidecarsOf(pod)) {
      const [first] = expectedSteps(pod, sidecar);
      for (const risk of first ? risksOf(pod, first) : []) {
        all.add(risk);
        byName.add(`risk for ${pod.namespace}/${pod.name}: ${risk}`);
      }
    }
  }
  if (isByName) return [...byName];
  return all.entries().map(([risk, times]) => `risk (${count(times, 'sidecar')}): ${risk}`);
}

function risksOf({ uncleanCost }: PodReport, step: PlannedStepReport): readonly string[] {
  const { expectedExitCode: code, raisesBackoffLimit } = step;
  const isClean = code === 0 || uncleanCost.kind === 'Nothing';
  const unclean = code === undefined ? 'if it exits with a code other than 0,' : `it exits with ${code}, so`;
  return [
    ...(isClean ? [] : [`${unclean} the pod fails${describeCost(uncleanCost)}`]),
    ...(takesLogs(step) ? ['its own logs are gone after the swap'] : []),
    ...(raisesBackoffLimit
      ? ['the backoffLimit of its Job is raised if there is no room, and stays raised']
      : []),
  ];
}

function whatIsReserved(pods: readonly PodReport[], asOf: string | undefined): string {
  const since = pods.map(({ mainsEndedAt }) => mainsEndedAt).sort()[0] ?? '';
  const { cpu, memory } = sumOf(pods.map(({ requests }) => requests));
  const without = pods.filter(({ requests }) => hasNone(requests)).length;
  const others = without > 0 ? ` (${without} of them without any)` : '';
  const requests =
    without < pods.length
      ? `with requests for ${formatCpu(cpu)} CPU and ${formatMemory(memory)} of memory${others}`
      : 'without requests for CPU or memory';
  return `${count(pods.length, 'pod')} stuck for up to ${elapsed(since, asOf)}, ${requests}`;
}
