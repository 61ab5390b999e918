import { printable } from '../../printable.ts';
import type { Column } from '../arrange.ts';
import { columns, item, paragraph, type Style } from '../columns.ts';
import { count } from '../counts.ts';
import { describeEvidence, describeExclusion, describeRemark } from '../texts/reasons.ts';
import { describePlannedStep } from '../texts/steps.ts';
import { describeWarning } from '../texts/warnings.ts';
import { answer } from './answer.ts';
import type { ExplainedPlan } from './explained-plan.ts';
import type { PodExplanation } from './explanation.ts';

type ContainerExplanation = PodExplanation['containers'][number];
type Check = PodExplanation['checks'][number];

/** What of an explanation is shown. */
export interface Shown {
  /** Whether to list the checks that passed as well. */
  readonly verbose: boolean;
}

/** The explanation for people: the answer first, then how it came about. */
export function renderExplanation(explained: PodExplanation, style: Style, shown: Shown): string {
  const { containers, checks, plan } = explained;
  const rows = shownChecks(checks, shown).map((check) => {
    const [kind, result, page] = checkRow(check);
    return [
      kind,
      { look: check.passed ? ('green' as const) : ('red' as const), text: printable(result) },
      page,
    ];
  });
  const sections = [
    [
      paragraph(printable(answer(explained)), style, looks[explained.verdict.kind]),
      paragraph(printable(aboutThePod(explained)), style),
    ],
    [columns(containerColumns, containers.map(containerRow).map(printableRow), style)],
    [
      ...(rows.length > 0 ? [columns(checkColumns, rows, style)] : []),
      ...folded(checks, shown).map((line) => paragraph(line, style)),
    ],
    plan ? ['A sweep would now:', ...planLines(plan).map((line) => item(printable(line), style))] : [],
    explanationNotes(explained).map((note) => paragraph(printable(note), style, 'yellow')),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const looks: Record<PodExplanation['verdict']['kind'], 'red' | 'green' | 'yellow'> = {
  Candidate: 'red',
  NeverStarted: 'red',
  NotStartedAgain: 'red',
  Hanging: 'red',
  Excluded: 'green',
  Undecided: 'yellow',
};

function printableRow(row: readonly string[]): readonly string[] {
  return row.map((cell) => printable(cell));
}

export function explanationNotes({ remarks, warnings }: PodExplanation): readonly string[] {
  return [
    ...remarks.map((remark) => `remark: ${describeRemark(remark)}`),
    ...warnings.map((warning) => `warning: ${describeWarning(warning)}`),
  ];
}

export function aboutThePod({ pod }: PodExplanation): string {
  const { phase, restartPolicy, owner, node } = pod;
  const parts = [
    `phase ${phase}`,
    `restartPolicy ${restartPolicy}`,
    owner ? `owned by ${owner.kind} ${owner.name}` : 'no owner',
    node === undefined ? 'not scheduled' : `on node ${node}`,
  ];
  return parts.join(', ');
}

const containerColumns: readonly Column[] = [
  { title: 'CONTAINER' },
  { title: 'ROLE' },
  { title: 'STATE', worth: 2, isProse: true },
  { title: 'EVIDENCE', worth: 1, isProse: true },
];
export const containerHead = containerColumns.map(({ title }) => title);

export function containerRow(container: ContainerExplanation): readonly string[] {
  const { name } = container;
  switch (container.role) {
    case 'Main':
    case 'Sidecar':
      return [name, roles[container.role], container.state, describeStatements(container.evidence)];
    case 'NativeSidecar':
      return [
        name,
        roles[container.role],
        '',
        'an init container with restartPolicy Always: the kubelet ends it',
      ];
    case 'InitContainer':
    case 'EphemeralContainer':
      return [
        name,
        roles[container.role],
        '',
        'neither a main nor a sidecar: it does not keep the pod running',
      ];
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
export function planLines({ targets, lastResort, unfit, expected }: ExplainedPlan): readonly string[] {
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

const checkColumns: readonly Column[] = [
  { title: 'CHECK' },
  { title: 'RESULT', worth: 2, isProse: true },
  { title: 'SEE', worth: 1 },
];
export const checkHead = checkColumns.map(({ title }) => title);

/** Those that decided, or all. */
export function shownChecks(checks: readonly Check[], { verbose }: Shown): readonly Check[] {
  return checks.filter(({ passed }) => verbose || !passed);
}

/** How many are not shown. */
export function folded(checks: readonly Check[], shown: Shown): readonly string[] {
  const passed = checks.length - shownChecks(checks, shown).length;
  return passed > 0 ? [`${count(passed, 'check')} passed (-v lists them)`] : [];
}

export function checkRow({
  kind,
  passed,
  found,
  page,
}: Check): readonly [kind: string, result: string, page: string] {
  return passed ? [kind, 'passed', ''] : [kind, found.map(describeExclusion).join('; '), page];
}
