import { printable } from '../../printable.ts';
import { columns, type Paint, paintIf, type Style } from '../columns.ts';
import {
  describeEvidence,
  describeExclusion,
  describeHang,
  describeRemark,
  pageOf,
} from '../texts/reasons.ts';
import { describePlannedStep } from '../texts/steps.ts';
import { describeWarning } from '../texts/warnings.ts';
import { elapsed } from '../times.ts';
import type { ExplainedPlan } from './explained-plan.ts';
import type { PodExplanation } from './explanation.ts';

type ContainerExplanation = PodExplanation['containers'][number];
type Check = PodExplanation['checks'][number];

/** The explanation for people: the verdict first, then how it came about. */
export function renderExplanation(explained: PodExplanation, style: Style): string {
  const paint = paintIf(style);
  const { containers, checks, plan, remarks, warnings } = explained;
  const sections = [
    [headline(explained, paint), printable(aboutThePod(explained))],
    [columns(['CONTAINER', 'ROLE', 'STATE', 'EVIDENCE'], containers.map(containerRow), paint)],
    checks.length > 0
      ? [
          columns(
            ['CHECK', 'RESULT', 'SEE'],
            checks.map((each) => checkRow(each, paint)),
            paint,
          ),
        ]
      : [],
    plan ? describePlan(plan) : [],
    remarks.map((remark) => paint('yellow', printable(`remark: ${describeRemark(remark)}`))),
    warnings.map((warning) => paint('yellow', printable(`warning: ${describeWarning(warning)}`))),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headline({ pod, verdict, asOf }: PodExplanation, paint: Paint): string {
  const name = printable(`${pod.namespace}/${pod.name}`);
  switch (verdict.kind) {
    case 'Candidate': {
      const age = elapsed(verdict.mainsEndedAt, asOf);
      return paint('red', `${name} has been stuck for ${age}: a sweep would act on it`);
    }
    case 'NeverStarted': {
      const age = elapsed(verdict.mainsEndedAt, asOf);
      const page = pageOf('NeverStarted');
      return paint('red', `${name} has been stuck for ${age} on a sidecar that never started; see ${page}`);
    }
    case 'NotStartedAgain': {
      const age = elapsed(verdict.mainsEndedAt, asOf);
      const page = pageOf('NotStartedAgain');
      return paint(
        'red',
        `${name} has been stuck for ${age} on a sidecar that ended and cannot start again; see ${page}`,
      );
    }
    case 'Hanging': {
      const { hang, since, page } = verdict;
      const age = elapsed(since, asOf);
      return paint('red', `${name} has hung for ${age}: ${printable(describeHang(hang))}; see ${page}`);
    }
    case 'Excluded':
      return paint(
        'green',
        `${name} is left alone: ${printable(verdict.because.map(describeExclusion).join('; '))}`,
      );
    case 'Undecided':
      return paint(
        'yellow',
        `${name} cannot be judged: ${printable(verdict.problem)}; see ${pageOf('Undecided')}`,
      );
  }
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

function containerRow(container: ContainerExplanation): readonly string[] {
  const name = printable(container.name);
  switch (container.role) {
    case 'Main':
    case 'Sidecar':
      return [
        name,
        roles[container.role],
        printable(container.state),
        printable(describeStatements(container.evidence)),
      ];
    case 'NativeSidecar':
      return [
        name,
        roles[container.role],
        '',
        'an init container with restartPolicy Always: the kubelet ends it',
      ];
    case 'InitContainer':
    case 'EphemeralContainer':
      return [name, roles[container.role], '', 'neither a main nor a sidecar'];
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
function describePlan({ targets, lastResort, unfit, expected }: ExplainedPlan): readonly string[] {
  const lines = targets.flatMap(({ container, steps, skipped }) => [
    ...steps.map((step, index) => `${container}: ${index + 1}. ${describePlannedStep(step)}`),
    ...(skipped === undefined ? [] : [`${container}: ${skipped}`]),
  ]);
  return [
    'A sweep would now:',
    ...lines,
    ...lastResort.map((step) => `last resort: ${describePlannedStep(step)}`),
    ...unfit.map(({ container, step }) => `${container}: not tried: ${step}`),
    ...expected.map((each) => `expected: ${each}`),
  ].map((line, index) => (index === 0 ? line : `  ${printable(line)}`));
}

function checkRow({ kind, passed, found, page }: Check, paint: Paint): readonly string[] {
  if (passed) return [kind, paint('green', 'passed'), ''];
  return [kind, paint('red', printable(found.map(describeExclusion).join('; '))), page];
}
