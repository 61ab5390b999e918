import { mayBeSent } from '../../plan/sweep-plan.ts';
import type { Look } from '../columns.ts';
import { elapsed, many } from '../format.ts';
import {
  describeEvidence,
  describeExclusion,
  describeHang,
  describeRemark,
  pageOf,
} from '../texts/reasons.ts';
import { describePlannedStep } from '../texts/steps.ts';
import { describeWarning } from '../texts/warnings.ts';
import { bullets, type Field, notes, sentence, table, type View } from '../view.ts';
import type { PodExplanation } from './explanation.ts';
import type { ExplainedPlan } from './plan.ts';

type ContainerExplanation = PodExplanation['containers'][number];

export interface Shown {
  /** Whether to list the checks that passed as well. */
  readonly verbose: boolean;
}

const containerFields: readonly Field<ContainerExplanation>[] = [
  { title: 'CONTAINER', of: ({ name }) => name },
  { title: 'ROLE', of: ({ role }) => roles[role] },
  { title: 'STATE', worth: 2, isProse: true, of: (one) => ('state' in one ? one.state : '') },
  { title: 'EVIDENCE', worth: 1, isProse: true, of: describeRole },
];
const checkFields: readonly Field<PodExplanation['checks'][number]>[] = [
  { title: 'CHECK', of: ({ kind }) => kind },
  {
    title: 'RESULT',
    worth: 2,
    isProse: true,
    of: ({ passed, found }) =>
      passed
        ? { look: 'green', text: 'passed' }
        : { look: 'red', text: found.map(describeExclusion).join('; ') },
  },
  { title: 'SEE', worth: 1, of: ({ passed, page }) => (passed ? '' : page) },
];

export function explanationView(explained: PodExplanation, { verbose }: Shown): View {
  const { containers, checks, plan, remarks, verdict, warnings } = explained;
  const shown = checks.filter(({ passed }) => verbose || !passed);
  const hidden = checks.length - shown.length;
  return {
    sections: [
      [sentence(answer(explained), looks[verdict.kind]), sentence(aboutThePod(explained))],
      [table(containers, containerFields)],
      [
        table(shown, checkFields),
        notes(hidden > 0 ? [`${many(hidden, 'check')} passed (-v lists them)`] : []),
      ],
      plan ? [sentence('A sweep would now:'), bullets(planLines(plan))] : [],
      [
        notes(
          [
            ...remarks.map((remark) => `remark: ${describeRemark(remark)}`),
            ...warnings.map((warning) => `warning: ${describeWarning(warning)}`),
          ],
          'yellow',
        ),
      ],
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

/** The answer in one sentence: what is wrong with the pod, and what a sweep would do about it. */
function answer(explained: PodExplanation): string {
  const { pod, verdict, asOf, plan } = explained;
  const name = `${pod.namespace}/${pod.name}`;
  switch (verdict.kind) {
    case 'Candidate':
      return `${name} ${stuck(verdict, asOf)} on ${sidecarsOf(explained)}: ${would(plan)}`;
    case 'NeverStarted':
      return `${name} ${stuck(verdict, asOf)} on a sidecar that never started; see ${pageOf(verdict.kind)}`;
    case 'NotStartedAgain':
      return `${name} ${stuck(verdict, asOf)} on a sidecar that ended and cannot start again; see ${pageOf(verdict.kind)}`;
    case 'Hanging':
      return `${name} has hung for ${elapsed(verdict.since, asOf)}: ${describeHang(verdict.hang)}; see ${verdict.page}`;
    case 'Excluded':
      return `${name} is left alone: ${verdict.because.map(describeExclusion).join('; ')}`;
    case 'Undecided':
      return `${name} cannot be judged: ${verdict.problem}; see ${pageOf(verdict.kind)}`;
  }
}

function stuck({ mainsEndedAt }: { readonly mainsEndedAt: string }, asOf: string | undefined): string {
  return `has been stuck for ${elapsed(mainsEndedAt, asOf)}`;
}

function sidecarsOf({ containers }: PodExplanation): string {
  const names = containers.flatMap(({ role, name }) => (role === 'Sidecar' ? name : []));
  const [first = '', ...others] = names;
  return names.length > 3 ? `${first} and ${others.length} other sidecars` : names.join(', ');
}

function would(plan: ExplainedPlan | undefined): string {
  if (!plan) return 'a sweep would act on it';
  const steps = [...plan.targets.flatMap((target) => target.steps), ...plan.lastResort];
  const first = steps.find(mayBeSent);
  if (first) return `a sweep would ${first.does.replace(/^(?=[A-Z]+ localhost)/, 'send ')}`;
  if (steps.length > 0)
    return `a sweep would leave it blocked, because finished work would run again or fail; see ${pageOf('Blocked')}`;
  const skipped = plan.targets.flatMap((target) => target.skipped ?? []);
  return `a sweep would do nothing: ${[...new Set(skipped)].join('; ')}`;
}

function aboutThePod({ pod }: PodExplanation): string {
  const { phase, restartPolicy, owner, node } = pod;
  const parts = [
    `phase ${phase}`,
    `restartPolicy ${restartPolicy}`,
    owner ? `owned by ${owner.kind} ${owner.name}` : 'no owner',
    node === undefined ? 'not scheduled' : `on node ${node}`,
  ];
  return parts.join(', ');
}

function describeRole(container: ContainerExplanation): string {
  switch (container.role) {
    case 'Main':
    case 'Sidecar':
      return describeStatements(container.evidence);
    case 'NativeSidecar':
      return 'an init container with restartPolicy Always: the kubelet ends it';
    case 'InitContainer':
    case 'EphemeralContainer':
      return 'neither a main nor a sidecar: it does not keep the pod running';
  }
}

const roles: Record<ContainerExplanation['role'], string> = {
  Main: 'main',
  Sidecar: 'sidecar',
  NativeSidecar: 'native sidecar',
  InitContainer: 'init',
  EphemeralContainer: 'ephemeral',
};

/** The statement that decides, then the others, with their role if it differs. */
function describeStatements(
  statements: Extract<ContainerExplanation, { readonly role: 'Main' | 'Sidecar' }>['evidence'],
): string {
  const [first, ...others] = statements;
  if (!first) return '';
  const also = others.map(({ role, because }) =>
    role === first.role ? describeEvidence(because) : `${describeEvidence(because)} says ${roles[role]}`,
  );
  return [describeEvidence(first.because), ...also].join('; also ');
}

/** The steps in order, each with how long the sweep waits before it takes the next. */
function planLines({ targets, lastResort, unfit, expected }: ExplainedPlan): readonly string[] {
  return [
    ...targets.flatMap(({ container, steps, skipped }) => [
      ...steps.map((step, index) => `${container}: ${index + 1}. ${describePlannedStep(step)}`),
      ...(skipped === undefined ? [] : [`${container}: ${skipped}`]),
    ]),
    ...lastResort.map((step) => `last resort: ${describePlannedStep(step)}`),
    ...unfit.map(({ container, step }) => `${container}: not tried: ${step}`),
    ...expected.map((each) => `expected: ${each}`),
  ];
}
