import { paragraph } from '../../report/columns.ts';
import { isCap, isResolved } from '../../report/exit-code.ts';
import { podArgument } from '../../report/names.ts';
import { toRecords } from '../../report/records/write.ts';
import type { SweepReport } from '../../report/schema.ts';
import { countPlanned } from '../../report/sweep/planned.ts';
import { sweepView } from '../../report/sweep/view.ts';
import { shellWord } from '../../util/text.ts';
import { formatDuration } from '../../util/time.ts';
import type { FlagsOf, GivenFlags } from '../flags.ts';
import { type Io, print } from '../io.ts';
import { type Printout, styleFor, withVerbose } from '../output.ts';

/** The report of a sweep in every format. */
export function sweepPrintout(report: SweepReport, flags: Pick<GivenFlags, 'verbose'>): Printout {
  return {
    document: report,
    view: (style) => sweepView(report, withVerbose(style, flags)),
    records: () => toRecords(report),
    names: () => report.pods.map((pod) => podArgument(pod, report.scope)),
  };
}

/** Prints what to do next below a table, on a terminal only. */
export async function printNextStep(report: SweepReport, flags: FlagsOf<'sweep'>, io: Io): Promise<void> {
  const { env, program, stdout, stderr } = io;
  if (!stdout.isTTY || !stderr.isTTY) return;
  const next = nextStep(report, flags, program);
  if (!next) return;
  const why = paragraph(next.why, styleFor(stderr, flags, env));
  // Not wrapped, so that it can be copied.
  await print(stderr, `\n${why}\n${next.command === undefined ? '' : `  ${next.command}\n`}`);
}

interface NextStep {
  readonly why: string;
  /** What to type; undefined if it is nearly the same command line as before. */
  readonly command?: string;
}

type Flags = Pick<FlagsOf<'sweep'>, 'kubeconfig' | 'context' | 'namespaces' | 'minAge' | 'policy'>;

/** What to do after a sweep; undefined if there is nothing to do. */
export function nextStep(report: SweepReport, flags: Flags, program: string): NextStep | undefined {
  const { pods, run, unread } = report;
  const command = (...words: readonly string[]) => commandLine(program, words, flags);
  const scope = (flags.namespaces ?? []).flatMap((name) => ['-n', name]);
  if (unread.some(({ problem }) => problem === 'Forbidden')) {
    return { why: 'Next, see what this account may not do:', command: command('check-access', ...scope) };
  }
  const left = pods.filter(({ outcome }) => !isResolved(outcome) && outcome.kind !== 'NotAttempted');
  const [first] = left;
  if (first && !run.stoppedEarly) {
    const why = `Next, see why ${left.length > 1 ? 'the first of them' : 'it'} is left:`;
    return { why, command: command('explain', `${first.namespace}/${first.name}`) };
  }
  if (run.dryRun) {
    if (countPlanned(report).pods === 0) return undefined;
    return { why: 'Nothing was changed. To do it, leave out --dry-run.' };
  }
  if (pods.some(({ outcome }) => outcome.kind === 'NotAttempted' && isCap(outcome.reason))) {
    return { why: 'Run it again for those that are left.' };
  }
  if (pods.length === 0 || run.stoppedEarly) return undefined;
  const why = 'Next, see why pods get stuck here, and how to cure it for good:';
  return { why, command: command('advise', ...scope) };
}

/** A command line with the flags by which another command finds the same cluster, and judges alike. */
function commandLine(
  program: string,
  words: readonly string[],
  { kubeconfig, context, minAge, policy }: Flags,
): string {
  const needsMinAge = minAge !== undefined && words[0] !== 'check-access';
  const typed = [
    ...words,
    ...(needsMinAge ? ['--min-age', formatDuration(minAge)] : []),
    ...(policy === undefined ? [] : ['--policy', policy]),
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  return [program, ...typed.map(shellWord)].join(' ');
}
