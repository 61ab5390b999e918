import fc from 'fast-check';
import type { SweepPlan } from '../../../../src/plan/sweep-plan.ts';
import type { PolicyFlags } from '../../../../src/policy/policy.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import { type RandomFault, randomFault } from './faults.ts';
import { type RandomPod, randomPod } from './pods.ts';
import { type History, minAge, type RandomSweep, Subject } from './subject.ts';

/** What holds if nothing but the sweeps happens: two clusters that are alike are compared, or one with itself. */
export const stillNames = [
  'dry run: the same targets as the sweep after it',
  'monotone: a higher --min-age adds no target',
  'monotone: a smaller scope adds no target',
  'determinism: the report does not depend on the order in which requests complete',
  'isolation: a fault at one pod changes no other outcome',
  'convergence: when faults stop, two more sweeps resolve everything that can be resolved',
  'convergence: a second sweep sends nothing to what the first has resolved',
] as const;

interface Still {
  readonly pods: readonly { readonly pod: RandomPod; readonly isDone: boolean; readonly delay: number }[];
  readonly sweep: RandomSweep;
  readonly victim: number;
  readonly fault: RandomFault;
}

const still: fc.Arbitrary<Still> = fc.record({
  pods: fc.array(
    fc.record({
      pod: randomPod,
      isDone: fc.constantFrom(true, true, true, true, false),
      delay: fc.constantFrom(0, 200, 500),
    }),
    { minLength: 2, maxLength: 4 },
  ),
  sweep: fc.record({
    dryRun: fc.constant(false),
    uncleanExit: fc.constantFrom<RandomSweep['uncleanExit'][]>('allow', 'forbid'),
    lastResort: fc.constantFrom<RandomSweep['lastResort'][]>('none', 'none', 'delete'),
    concurrency: fc.constantFrom(1, 3, 20),
  }),
  victim: fc.nat({ max: 3 }),
  fault: randomFault.map((fault) => ({ ...fault, at: fault.at === 'List' ? 'Exec' : fault.at })),
});

/** In milliseconds. */
const timeToSettle = 10_000;

export function stillClusters(cluster: SimulatedCluster, nextNamespace: () => string) {
  return fc.asyncProperty(still, async (drawn) => {
    const subjects = [0, 1, 2].map(() => new Subject(cluster, nextNamespace()));
    const [quiet, slow, broken] = subjects as [Subject, Subject, Subject];
    try {
      await Promise.all(subjects.map((subject) => fill(subject, drawn)));
      const [plain, delayed, faulty] = await Promise.all([
        sweepQuiet(quiet, drawn),
        sweepSlow(slow, drawn),
        sweepBroken(broken, drawn),
      ]);
      const [determinism, isolation] = [stillNames[3], stillNames[4]];
      expectAlike(determinism, outcomesOf(delayed), outcomesOf(plain), drawn);
      const others = (report: SweepReport) => outcomesOf(report).filter(({ name }) => name !== faulty.victim);
      expectAlike(isolation, others(faulty.report), others(plain), drawn);
    } finally {
      await Promise.all(subjects.map((subject) => subject.leave()));
    }
  });
}

async function fill(subject: Subject, { pods }: Still): Promise<void> {
  const { simulation } = subject.on;
  for (const { pod } of pods) subject.add(pod);
  await simulation.pass(timeToSettle);
  for (const [index, { isDone }] of pods.entries()) if (isDone) subject.end(index, 'main');
  await simulation.pass(timeToSettle);
}

/** Plans in four ways, then sweeps, and sweeps again. */
async function sweepQuiet(subject: Subject, { sweep, victim, pods }: Still): Promise<SweepReport> {
  const planned = async (flags?: Partial<PolicyFlags>) =>
    planOf(await swept(subject, { ...sweep, dryRun: true }, flags));
  const wide = targetsOf(await planned());
  const older = targetsOf(await planned({ minAge: minAge + timeToSettle }));
  const smaller = targetsOf(await planned({ labelSelector: `name=pod-${victim % pods.length}` }));
  expectSubset(stillNames[1], older, wide);
  expectSubset(stillNames[2], smaller, wide);
  const history = await swept(subject, sweep);
  expectSame(stillNames[0], targetsOf(planOf(history)), wide);
  const resolved = history.report.pods.filter(({ outcome }) => outcome.kind === 'Ended');
  const again = await swept(subject, sweep);
  const names = again.sent.map(({ request }) => request.name);
  expectSame(
    stillNames[6],
    names.filter((name) => resolved.some((pod) => pod.name === name)),
    [],
  );
  return history.report;
}

/** Requests about each pod take their own time. */
async function sweepSlow(subject: Subject, { sweep, pods }: Still): Promise<SweepReport> {
  for (const [index, { delay }] of pods.entries()) subject.delays.set(`pod-${index}`, delay);
  const { report } = await swept(subject, { ...sweep, concurrency: 2 });
  return report;
}

async function sweepBroken(subject: Subject, { sweep, pods, fault, victim: which }: Still) {
  const victim = `pod-${which % pods.length}`;
  subject.addFault(fault, victim);
  const { report } = await swept(subject, sweep);
  subject.removeFaults();
  await swept(subject, sweep);
  await swept(subject, sweep);
  const stuck = pods.flatMap(({ pod, isDone }, index) => {
    const isEasy =
      pod.trait === 'None' &&
      (pod.judge === 'None' || sweep.uncleanExit === 'allow') &&
      pod.sidecars.every((way) => way === 'Clean' || way === 'Late');
    const phase = subject.pods().find(({ metadata }) => metadata.name === `pod-${index}`)?.status.phase;
    return isDone && isEasy && phase === 'Running' ? [`pod-${index}`] : [];
  });
  expectSame(stillNames[5], stuck, []);
  return { report, victim };
}

async function swept(subject: Subject, sweep: RandomSweep, flags?: Partial<PolicyFlags>): Promise<History> {
  subject.begin(sweep, flags);
  const history = await subject.finish();
  if (!history) throw new Error('no sweep has begun');
  await subject.on.simulation.pass(timeToSettle);
  return history;
}

function planOf({ events }: History): SweepPlan {
  const [plan] = events.flatMap(({ event }) => (event.kind === 'PlanMade' ? [event.plan] : []));
  if (!plan) throw new Error('there is no plan');
  return plan;
}

function targetsOf({ pods }: SweepPlan): readonly string[] {
  const targets = pods.flatMap(({ candidate, targets }) =>
    targets.map(({ kind, container }) => `${candidate.pod.ref.name}/${container} ${kind}`),
  );
  return targets.sort();
}

/** A report without what differs between two clusters: uids, times and texts. */
function outcomesOf({ pods }: SweepReport) {
  return pods.map(({ name, outcome, containers }) => ({
    name,
    outcome: outcome.kind === 'Ended' ? outcome.phase : outcome.kind,
    containers: containers.map((container) =>
      container.role === 'Sidecar'
        ? {
            name: container.name,
            outcome: container.outcome.kind,
            attempts: container.attempts.map(({ does, result }) => `${does}: ${result.kind}`),
          }
        : { name: container.name, attempts: [] },
    ),
  }));
}

function expectSubset(name: string, part: readonly string[], whole: readonly string[]): void {
  expectSame(
    name,
    part.filter((one) => !whole.includes(one)),
    [],
  );
}

function expectSame(name: string, is: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${name}: ${one}, and not ${other}`);
}

type Outcomes = ReturnType<typeof outcomesOf>;

/**
 * What ends some time after its grace ends before the next step or behind it, depending on how long the requests take. Then both
 * have taken the same steps so far, and one of them more. A step that came too late has found nothing there.
 */
function expectAlike(name: string, is: Outcomes, wanted: Outcomes, { pods }: Still): void {
  const isLate = (pod: string) => pods[Number(pod.replace('pod-', ''))]?.pod.sidecars.includes('TooLate');
  const timely = (all: Outcomes) => all.filter((one) => !isLate(one.name));
  expectSame(name, timely(is), timely(wanted));
  const came = (attempts: readonly string[]) => attempts.filter((one) => !one.endsWith(': NotThere'));
  const late = (all: Outcomes) =>
    all
      .filter((one) => isLate(one.name))
      .map(({ name, containers }) => ({ name, taken: containers.map(({ attempts }) => came(attempts)) }));
  const begun = (all: ReturnType<typeof late>, other: ReturnType<typeof late>) =>
    all.map(({ name, taken }, pod) => ({
      name,
      taken: taken.map((own, container) => own.slice(0, other[pod]?.taken[container]?.length)),
    }));
  expectSame(name, begun(late(is), late(wanted)), begun(late(wanted), late(is)));
}
