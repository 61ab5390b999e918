import { printable } from '../../printable.ts';
import type { Column } from '../arrange.ts';
import { type Cell, columns, item, paragraph, type Style } from '../columns.ts';
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

const containerHead: readonly Column[] = [
  { title: 'CONTAINER' },
  { title: 'ROLE' },
  { title: 'STATE', worth: 2, isProse: true },
  { title: 'EVIDENCE', worth: 1, isProse: true },
];

const checkHead: readonly Column[] = [
  { title: 'CHECK' },
  { title: 'RESULT', worth: 2, isProse: true },
  { title: 'SEE', worth: 1 },
];

/** The explanation for people: the verdict first, then how it came about. */
export function renderExplanation(explained: PodExplanation, style: Style): string {
  const { containers, checks, plan, remarks, warnings } = explained;
  const sections = [
    [headline(explained, style), paragraph(printable(aboutThePod(explained)), style)],
    [columns(containerHead, containers.map(containerRow), style)],
    checks.length > 0 ? [columns(checkHead, checks.map(checkRow), style)] : [],
    plan ? describePlan(plan, style) : [],
    remarks.map((remark) => paragraph(printable(`remark: ${describeRemark(remark)}`), style, 'yellow')),
    warnings.map((warning) => paragraph(printable(`warning: ${describeWarning(warning)}`), style, 'yellow')),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headline({ pod, verdict, asOf }: PodExplanation, style: Style): string {
  const name = printable(`${pod.namespace}/${pod.name}`);
  switch (verdict.kind) {
    case 'Candidate': {
      const age = elapsed(verdict.mainsEndedAt, asOf);
      return paragraph(`${name} has been stuck for ${age}: a sweep would act on it`, style, 'red');
    }
    case 'NeverStarted': {
      const age = elapsed(verdict.mainsEndedAt, asOf);
      const page = pageOf('NeverStarted');
      return paragraph(
        `${name} has been stuck for ${age} on a sidecar that never started; see ${page}`,
        style,
        'red',
      );
    }
    case 'NotStartedAgain': {
      const age = elapsed(verdict.mainsEndedAt, asOf);
      const page = pageOf('NotStartedAgain');
      return paragraph(
        `${name} has been stuck for ${age} on a sidecar that ended and cannot start again; see ${page}`,
        style,
        'red',
      );
    }
    case 'Hanging': {
      const { hang, since, page } = verdict;
      const age = elapsed(since, asOf);
      return paragraph(
        `${name} has hung for ${age}: ${printable(describeHang(hang))}; see ${page}`,
        style,
        'red',
      );
    }
    case 'Excluded':
      return paragraph(
        `${name} is left alone: ${printable(verdict.because.map(describeExclusion).join('; '))}`,
        style,
        'green',
      );
    case 'Undecided':
      return paragraph(
        `${name} cannot be judged: ${printable(verdict.problem)}; see ${pageOf('Undecided')}`,
        style,
        'yellow',
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
function describePlan(
  { targets, lastResort, unfit, expected }: ExplainedPlan,
  style: Style,
): readonly string[] {
  const lines = targets.flatMap(({ container, steps, skipped }) => [
    ...steps.map((step, index) => `${container}: ${index + 1}. ${describePlannedStep(step)}`),
    ...(skipped === undefined ? [] : [`${container}: ${skipped}`]),
  ]);
  const all = [
    ...lines,
    ...lastResort.map((step) => `last resort: ${describePlannedStep(step)}`),
    ...unfit.map(({ container, step }) => `${container}: not tried: ${step}`),
    ...expected.map((each) => `expected: ${each}`),
  ];
  return ['A sweep would now:', ...all.map((line) => item(printable(line), style))];
}

function checkRow({ kind, passed, found, page }: Check): readonly Cell[] {
  if (passed) return [kind, { look: 'green', text: 'passed' }, ''];
  return [kind, { look: 'red', text: printable(found.map(describeExclusion).join('; ')) }, page];
}
