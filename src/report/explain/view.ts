import type { Unfit } from '../../model/step.ts';
import { mayBeSent } from '../../plan/sweep-plan.ts';
import { spelledOut } from '../../util/text.ts';
import type { Look } from '../columns.ts';
import { elapsed, ifAny, many } from '../format.ts';
import type { PlannedStepReport, PodReport } from '../schema.ts';
import { sidecarsOf } from '../sweep/planned.ts';
import { describeContainer } from '../texts/outcomes.ts';
import {
  describeEvidence,
  describeExclusion,
  describeHang,
  describeRemark,
  pageOf,
} from '../texts/reasons.ts';
import { describePlannedStep, describePrediction, describeUncleanEnd } from '../texts/steps.ts';
import { warned } from '../texts/warnings.ts';
import { bullets, type Field, notes, sentence, table, type View } from '../view.ts';
import type { ContainerExplanation, PodExplanation } from './explanation.ts';

const containerFields: readonly Field<ContainerExplanation>[] = [
  { title: 'CONTAINER', of: ({ name }) => name },
  { title: 'ROLE', of: ({ role }) => roles[role] },
  { title: 'STATE', worth: 2, isProse: true, of: ({ state = '' }) => state },
  { title: 'EVIDENCE', worth: 1, isProse: true, of: describeRole },
];
const checkFields: readonly Field<PodExplanation['checks'][number]>[] = [
  { title: 'CHECK', of: ({ kind }) => kind },
  {
    title: 'RESULT',
    worth: 2,
    isProse: true,
    of: ({ found }) =>
      found.length === 0
        ? { look: 'green', text: 'passed' }
        : { look: 'red', text: found.map(describeExclusion).join('; ') },
  },
  { title: 'SEE', worth: 1, of: ({ found: [first] }) => (first ? pageOf(first.kind) : '') },
];

export function explanationView(explained: PodExplanation, { verbose }: { readonly verbose: boolean }): View {
  const { containers, checks, leftOutBy, plan, remarks, verdict, warnings } = explained;
  const shown = checks.filter(({ found }) => verbose || found.length > 0);
  const hidden = checks.length - shown.length;
  return {
    sections: [
      [sentence(answer(explained), looks[verdict.kind]), sentence(aboutThePod(explained))],
      [table(containers, containerFields)],
      [table(shown, checkFields), notes(ifAny(hidden, `${many(hidden, 'check')} passed (-v lists them)`))],
      plan
        ? [sentence(`A sweep${leftOutBy ? ' that names it' : ''} would now:`), bullets(planLines(plan))]
        : [],
      [notes([...remarks.map((one) => `remark: ${describeRemark(one)}`), ...warnings.map(warned)], 'yellow')],
    ],
  };
}

const looks: Record<PodExplanation['verdict']['kind'], Look> = {
  Candidate: 'red',
  NeverStarted: 'red',
  NotStartedAgain: 'red',
  Hanging: 'red',
  Excluded: 'green',
  Undecided: 'yellow',
};

/** The answer in one sentence: the pod's problem, and the first step of a sweep. */
function answer({ pod, verdict, asOf, plan, containers, leftOutBy }: PodExplanation): string {
  const name = `${pod.namespace}/${pod.name}`;
  const stuckOn = (since: string, what: string) =>
    `${name} has been stuck for ${elapsed(since, asOf)} on ${what}`;
  switch (verdict.kind) {
    case 'Candidate': {
      const names = containers.flatMap(({ role, name }) => (role === 'Sidecar' ? name : []));
      const sidecars =
        names.length > 3 ? `${names[0]} and ${names.length - 1} other sidecars` : names.join(', ');
      const [sweep, others] = leftOutBy
        ? ['a sweep that names it', `; any other leaves it out, because of the ${leftOutBy} of its scope`]
        : ['a sweep', ''];
      return `${stuckOn(verdict.mainsEndedAt, sidecars)}: ${sweep} would ${plan ? would(plan) : 'act on it'}${others}`;
    }
    case 'NeverStarted':
      return `${stuckOn(verdict.mainsEndedAt, 'a sidecar that never started')}; see ${pageOf(verdict.kind)}`;
    case 'NotStartedAgain':
      return `${stuckOn(verdict.mainsEndedAt, 'a sidecar that ended and cannot start again')}; see ${pageOf(verdict.kind)}`;
    case 'Hanging':
      return `${name} has hung for ${elapsed(verdict.since, asOf)}: ${describeHang(verdict.hang)}; see ${pageOf(verdict.hang.kind)}`;
    case 'Excluded':
      return `${name} is left alone: ${verdict.because.map(describeExclusion).join('; ')}`;
    case 'Undecided':
      return `${name} cannot be judged: ${verdict.problem}; see ${pageOf(verdict.kind)}`;
  }
}

function would(plan: PodReport): string {
  const sidecars = sidecarsOf(plan);
  const steps = stepsOf(plan);
  const first = steps.find(mayBeSent);
  if (first) return first.does.replace(/^(?=[A-Z]+ localhost)/, 'send ');
  if (steps.length > 0)
    return `leave it blocked, because finished work would run again or fail; see ${pageOf('Blocked')}`;
  return `do nothing: ${[...new Set(sidecars.map(({ outcome }) => describeContainer(outcome)))].join('; ')}`;
}

function stepsOf(plan: PodReport): readonly PlannedStepReport[] {
  return [...sidecarsOf(plan).flatMap(({ steps }) => steps), ...plan.lastResort];
}

function aboutThePod({ pod: { phase, restartPolicy, owner, node } }: PodExplanation): string {
  const owned = owner ? `owned by ${owner.kind} ${owner.name}` : 'no owner';
  const where = node === undefined ? 'not scheduled' : `on node ${node}`;
  return `phase ${phase}, restartPolicy ${restartPolicy}, ${owned}, ${where}`;
}

function describeRole({ role, evidence }: ContainerExplanation): string {
  if (role === 'NativeSidecar') return 'an init container with restartPolicy Always: the kubelet ends it';
  if (role !== 'Main' && role !== 'Sidecar') {
    return 'neither a main nor a sidecar: it does not keep the pod running';
  }
  const all = evidence.map(({ role: other, because }) =>
    other === role ? describeEvidence(because) : `${describeEvidence(because)} says ${roles[other]}`,
  );
  return all.join('; also ');
}

const roles: Record<ContainerExplanation['role'], string> = {
  Main: 'main',
  Sidecar: 'sidecar',
  NativeSidecar: 'native sidecar',
  InitContainer: 'init',
  EphemeralContainer: 'ephemeral',
};

function planLines(plan: PodReport): readonly string[] {
  const sidecars = sidecarsOf(plan);
  return [
    ...sidecars.flatMap(({ name, steps, outcome }) => [
      ...steps.map((step, index) => `${name}: ${index + 1}. ${describePlannedStep(step)}`),
      ...(outcome.kind === 'NotAttempted' ? [] : [`${name}: ${describeContainer(outcome)}`]),
    ]),
    ...plan.lastResort.map((step) => `last resort: ${describePlannedStep(step)}`),
    ...new Set(
      sidecars.flatMap(({ name, unfit }) => unfit.map((one) => `${name}: not tried: ${whyUnfit(one)}`)),
    ),
    `expected: ${ifItWorks(plan)}${describePrediction(plan.prediction)}`,
    `expected: ${ifUnclean(plan)}`,
  ];
}

function whyUnfit({ method, reason, detail, does = method }: Unfit): string {
  return reason === 'NoPermission' ? `${does}: needs ${detail}` : `${spelledOut(method, '-')}: ${detail}`;
}

/** The prediction assumes that it does, but an image may lack the shell, or the kubelet may refuse. */
function ifItWorks(plan: PodReport): string {
  if (!stepsOf(plan).some(mayBeSent)) return '';
  return sidecarsOf(plan).length > 1
    ? 'if the first step for each sidecar works, '
    : 'if the first step works, ';
}

/** The kubelet and the Job decide by exit codes. https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/ */
function ifUnclean({ containers, restartPolicy, uncleanCost, prediction: { job } }: PodReport): string {
  const failed = containers.find((one) => one.role === 'Main' && one.exitCode !== 0);
  if (failed?.role === 'Main') {
    const again = job === 'RunsAgain' ? ', and its Job runs again' : '';
    return `${failed.name} exited with ${failed.exitCode}, so the pod fails however its sidecars end${again}`;
  }
  return `if a sidecar exits with a non-zero code, ${describeUncleanEnd({ restartPolicy, uncleanCost })}`;
}
