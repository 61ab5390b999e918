import { paragraph } from '../../report/columns.ts';
import { exitCodeOf, isResolved } from '../../report/exit-code.ts';
import { podArgument } from '../../report/names.ts';
import { toRecords } from '../../report/records/write.ts';
import type { Scan } from '../../report/scan.ts';
import type { SweepReport } from '../../report/schema.ts';
import { countPlanned, sidecarsOf } from '../../report/sweep/planned.ts';
import { sweepView } from '../../report/sweep/view.ts';
import { isCap } from '../../report/texts/outcomes.ts';
import { shellWord } from '../../util/text.ts';
import { formatDuration } from '../../util/time.ts';
import type { GivenFlags } from '../flags.ts';
import { type Io, print } from '../io.ts';
import { type Printout, styleFor, withVerbose } from '../output.ts';

export function sweepPrintout(report: SweepReport, flags: Pick<GivenFlags, 'verbose' | 'failOn'>): Printout {
  return {
    document: report,
    view: (style) => sweepView(report, withVerbose(style, flags)),
    records: () => toRecords(report, exitCodeOf(report, flags.failOn)),
    names: () => report.pods.map((pod) => podArgument(pod, report.scope)),
  };
}

/** Prints what to do next below a table, on a terminal only. */
export async function printNextStep(next: NextStep | undefined, flags: GivenFlags, io: Io): Promise<void> {
  const { env, stdout, stderr } = io;
  if (!next || !stdout.isTTY || !stderr.isTTY || !['table', 'wide'].includes(flags.output ?? 'table')) return;
  const why = paragraph(next.why, styleFor(stderr, flags, env));
  // Not wrapped, so that it can be copied.
  await print(stderr, `\n${why}\n${next.command === undefined ? '' : `  ${next.command}\n`}`);
}

export interface NextStep {
  readonly why: string;
  /** What to type; undefined if it is nearly the same command line as before. */
  readonly command?: string;
}

type Flags = Pick<
  GivenFlags,
  | 'kubeconfig'
  | 'context'
  | 'as'
  | 'insecureSkipTlsVerify'
  | 'namespaces'
  | 'allNamespaces'
  | 'labelSelector'
  | 'includePending'
  | 'minAge'
  | 'policy'
  | 'noopImage'
>;

/** What to do after a sweep; undefined if there is nothing to do. */
export function nextStep(report: SweepReport, flags: Flags, program: string): NextStep | undefined {
  const { pods, run, unread } = report;
  const command = (...words: readonly string[]) => commandLine(program, words, flags);
  const scope = scopeOf(flags);
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
    const does = countPlanned(report).pods > 0 ? 'Nothing was changed. To do it, leave out --dry-run.' : '';
    const isBlocked = pods.some((pod) =>
      sidecarsOf(pod).some(({ steps }) => steps.some((one) => one.blocked)),
    );
    if (!isBlocked) return does === '' ? undefined : { why: does };
    const why = `${does} Next, see what ends those that are blocked:`.trim();
    return { why, command: `${program} explain --reason Blocked` };
  }
  if (pods.some(({ outcome }) => outcome.kind === 'NotAttempted' && isCap(outcome.reason))) {
    return { why: 'Run it again for those that are left.' };
  }
  if (pods.length === 0 || run.stoppedEarly) return undefined;
  const why = 'Next, see why pods get stuck here, and how to cure it for good:';
  return { why, command: command('advise', ...scope) };
}

export function nextAfterScan(
  { candidates, unread }: Scan,
  flags: Flags,
  program: string,
): NextStep | undefined {
  const command = (...words: readonly string[]) => commandLine(program, [...words, ...scopeOf(flags)], flags);
  if (unread.some(({ problem }) => problem === 'Forbidden')) {
    return { why: 'Next, see what this account may not do:', command: command('check-access') };
  }
  if (candidates.length === 0) return undefined;
  return { why: 'Next, see what a sweep would do about them:', command: command('sweep', '--dry-run') };
}

function scopeOf({
  namespaces = [],
  allNamespaces = false,
  labelSelector,
  includePending = false,
}: Flags): readonly string[] {
  return [
    ...(allNamespaces ? ['-A'] : namespaces.flatMap((name) => ['-n', name])),
    ...(labelSelector === undefined ? [] : ['-l', labelSelector]),
    ...(includePending ? ['--include-pending'] : []),
  ];
}

/** A command line with the flags by which another command finds the same cluster, as the same user, and judges alike. */
function commandLine(
  program: string,
  words: readonly string[],
  { kubeconfig, context, as, insecureSkipTlsVerify = false, minAge, policy, noopImage }: Flags,
): string {
  const needsMinAge = minAge !== undefined && words[0] !== 'check-access';
  const typed = [
    ...words,
    ...(needsMinAge ? ['--min-age', formatDuration(minAge)] : []),
    ...(policy === undefined ? [] : ['--policy', policy]),
    ...(noopImage === undefined || words[0] === 'advise' ? [] : ['--noop-image', noopImage]),
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
    ...(as === undefined ? [] : ['--as', as]),
    ...(insecureSkipTlsVerify ? ['--insecure-skip-tls-verify'] : []),
  ];
  return [program, ...typed.map(shellWord)].join(' ');
}
