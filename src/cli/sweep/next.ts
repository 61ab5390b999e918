import { isCap, isResolved } from '../../report/exit-code.ts';
import type { SweepReport } from '../../report/schema.ts';
import { countPlanned } from '../../report/sweep/planned.ts';
import { formatDuration } from '../../util/time.ts';
import type { SweepFlags } from '../flags/sweep.ts';
import { usualCaller } from '../help.ts';
import type { Surroundings } from '../surroundings.ts';

export interface Next {
  readonly why: string;
  /** What to type; undefined if it is what was typed before, or nearly. */
  readonly command?: string;
}

type Flags = Pick<SweepFlags, 'kubeconfig' | 'context' | 'namespace' | 'minAge' | 'policy'> &
  Pick<Surroundings, 'program'>;

/** What to do next, after what a sweep has come to; undefined if there is nothing to do. */
export function nextOf(report: SweepReport, flags: Flags): Next | undefined {
  return (
    afterUnread(report, flags) ??
    afterUnresolved(report, flags) ??
    afterDryRun(report) ??
    afterCap(report) ??
    afterSuccess(report, flags)
  );
}

function afterUnread(report: SweepReport, flags: Flags): Next | undefined {
  if (!report.unread.some(({ problem }) => problem === 'Forbidden')) return undefined;
  const command = commandLine(['check-access', ...scopeOf(flags)], flags);
  return { why: 'Next, see what this account may not do:', command };
}

function afterUnresolved(report: SweepReport, flags: Flags): Next | undefined {
  const left = report.pods.filter(({ outcome }) => !isResolved(outcome) && outcome.kind !== 'NotAttempted');
  const [first] = left;
  if (!first || report.run.stoppedEarly) return undefined;
  const command = commandLine(['explain', `${first.namespace}/${first.name}`], flags);
  return { why: `Next, see why ${left.length > 1 ? 'the first of them' : 'it'} is left:`, command };
}

function afterDryRun(report: SweepReport): Next | undefined {
  const isPlanned = report.run.dryRun && countPlanned(report).pods > 0;
  return isPlanned ? { why: 'Nothing was changed. To do it, leave out --dry-run.' } : undefined;
}

function afterCap({ pods, run }: SweepReport): Next | undefined {
  const isLeft = pods.some(({ outcome }) => outcome.kind === 'NotAttempted' && isCap(outcome.reason));
  return isLeft && !run.dryRun ? { why: 'Run it again for those that are left.' } : undefined;
}

function afterSuccess(report: SweepReport, flags: Flags): Next | undefined {
  const { pods, run } = report;
  if (pods.length === 0 || run.dryRun || run.stoppedEarly) return undefined;
  const command = commandLine(['advise', ...scopeOf(flags)], flags);
  return { why: 'Next, see why pods get stuck here, and how to cure it for good:', command };
}

function scopeOf({ namespace = [] }: Flags): readonly string[] {
  return namespace.flatMap((name) => ['-n', name]);
}

/** With the flags by which another command finds the same cluster, and judges alike. */
function commandLine(
  words: readonly string[],
  { program = usualCaller.program, kubeconfig, context, minAge, policy }: Flags,
): string {
  const needsMinAge = minAge !== undefined && words[0] !== 'check-access';
  const typed = [
    ...words,
    ...(needsMinAge ? ['--min-age', formatDuration(minAge)] : []),
    ...(policy === undefined ? [] : ['--policy', policy]),
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  return [program, ...typed.map(quoted)].join(' ');
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w./:@=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
