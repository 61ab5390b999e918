import { formatDuration } from '../duration.ts';
import { printable } from '../printable.ts';
import { columns, type Paint, paintIf } from './columns.ts';
import type { ExplainedPlan } from './explained-plan.ts';
import type { PodExplanation } from './explanation.ts';
import type { PlannedStep } from './schema.ts';
import { describeEvidence, describeExclusion, describeRemark, pageOf } from './texts/reasons.ts';
import { describeSource } from './texts/steps.ts';
import { describeWarning } from './texts/warnings.ts';

type ContainerExplanation = PodExplanation['containers'][number];
type Check = PodExplanation['checks'][number];

/** The explanation for people: the verdict first, then how it came about. */
export function renderExplanation(
  explained: PodExplanation,
  { colour }: { readonly colour: boolean },
): string {
  const paint = paintIf(colour);
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
  const ago = (time: string) => formatDuration(Date.parse(asOf ?? '') - Date.parse(time));
  switch (verdict.kind) {
    case 'Candidate':
      return paint(
        'red',
        `${name} is stuck since its mains ended ${ago(verdict.mainsEndedAt)} ago: a sweep would act on it`,
      );
    case 'NeverStarted':
      return paint(
        'red',
        `${name} is stuck since its mains ended ${ago(verdict.mainsEndedAt)} ago, on a sidecar that never came to run: see ${pageOf('NeverStarted')}`,
      );
    case 'Excluded':
      return paint(
        'green',
        `${name} is left alone: ${printable(verdict.because.map(describeExclusion).join('; '))}`,
      );
    case 'Undecided':
      return paint(
        'yellow',
        `${name} cannot be judged: ${printable(verdict.problem)}: see ${pageOf('Undecided')}`,
      );
  }
}

function aboutThePod({ pod }: PodExplanation): string {
  const { phase, restartPolicy, owner, node } = pod;
  const parts = [
    `phase ${phase}`,
    `restartPolicy ${restartPolicy}`,
    owner ? `owned by ${owner.kind} ${owner.name}` : 'owned by nobody',
    node === undefined ? 'on no node' : `on node ${node}`,
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

/** The decisive statement, then the others, with their role where they say otherwise. */
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

/** The steps in their order; what one waits for is the time it is given before the next. */
function describePlan({ targets, lastResort, unfit, expected }: ExplainedPlan): readonly string[] {
  const lines = targets.flatMap(({ container, steps, skipped }) => [
    ...steps.map((step, index) => `${container}: ${index + 1}. ${describePlannedStep(step)}`),
    ...(skipped === undefined ? [] : [`${container}: ${skipped}`]),
  ]);
  return [
    'A sweep now:',
    ...lines,
    ...lastResort.map((step) => `last resort: ${describePlannedStep(step)}`),
    ...unfit.map(({ container, step }) => `${container}: not tried: ${step}`),
    ...expected.map((each) => `expected: ${each}`),
  ].map((line, index) => (index === 0 ? line : `  ${printable(line)}`));
}

function describePlannedStep({ does, source, graceMs, expectedExitCode, clearance }: PlannedStep): string {
  const ends =
    expectedExitCode === undefined ? 'its exit code is not known' : `ends with ${expectedExitCode}`;
  const why = `${describeSource(source)}; ${ends}`;
  return `${does} (${why}${clearances[clearance]}), and waits up to ${formatDuration(graceMs)} for its end`;
}

const clearances: Record<PlannedStep['clearance'], string> = {
  Free: '',
  Canary: '; one pod of the image goes first',
  KnownUnclean: '; held, because its Job would run again',
  Forbidden: '; held by --unclean-exit=forbid',
};

function checkRow({ kind, passed, found, page }: Check, paint: Paint): readonly string[] {
  if (passed) return [kind, paint('green', 'passed'), ''];
  return [kind, paint('red', printable(found.map(describeExclusion).join('; '))), page];
}
