import { type CommandName, isOn } from '../policy/flag.ts';
import { paragraph } from '../report/columns.ts';
import { isResolved } from '../report/exit-code.ts';
import type { Scan } from '../report/scan.ts';
import type { SweepReport } from '../report/schema.ts';
import { countPlanned, isLeftForNext, sidecarsOf } from '../report/sweep/planned.ts';
import { shellWord } from '../util/text.ts';
import { formatDuration } from '../util/time.ts';
import { allFlags, type GivenFlags } from './flags.ts';
import { type Io, print } from './io.ts';
import { styleFor } from './output.ts';

export interface NextStep {
  readonly why: string;
  /** The command line to type; undefined if it is nearly the same as before. */
  readonly command?: string;
}

export async function printNextStep(next: NextStep | undefined, flags: GivenFlags, io: Io): Promise<void> {
  const { env, stdout, stderr } = io;
  if (!next || !stdout.isTTY || !stderr.isTTY || !['table', 'wide'].includes(flags.output ?? 'table')) return;
  const why = paragraph(next.why, styleFor(stderr, flags, env));
  // Not wrapped, so that it can be copied.
  await print(stderr, `\n${why}\n${next.command === undefined ? '' : `  ${next.command}\n`}`);
}

/** The next command finds the same pods in the same cluster, as the same user, and judges alike. */
const reach = ['kubeconfig', 'context', 'as', 'insecureSkipTlsVerify'] as const;
const kept = [
  ...(['allNamespaces', 'namespaces', 'labelSelector', 'includePending', 'minAge', 'policy'] as const),
  ...(['noopImage', 'lastResort', 'uncleanExit', 'lock', 'noLock'] as const),
  ...reach,
];

type Flags = Pick<GivenFlags, (typeof kept)[number]>;

function commandLine(program: string, command: CommandName, words: readonly string[], given: Flags): string {
  const names = kept.filter((name) => isOn(allFlags[name], command));
  return [program, command, ...[...words, ...typed(names, given)].map(shellWord)].join(' ');
}

/** kubectl has the same flags. */
export function kubectlAlike(given: Flags): string {
  return ['kubectl', ...typed(reach, given).map(shellWord)].join(' ');
}

function typed(names: readonly (keyof Flags)[], given: Flags): readonly string[] {
  return names.flatMap((name) => {
    const value = given[name];
    const [flag = ''] = allFlags[name].flags.split(/[ ,]/, 1);
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    if (typeof value === 'number') return [flag, formatDuration(value)];
    return [value].flat().flatMap((each) => [flag, each]);
  });
}

export function nextStep(report: SweepReport, flags: Flags, program: string): NextStep | undefined {
  const { pods, run, unread } = report;
  if (unread.some(({ problem }) => problem === 'Forbidden')) return checkAccess(flags, program);
  const left = pods.filter(({ outcome }) => !isResolved(outcome) && outcome.kind !== 'NotAttempted');
  const [first] = left;
  if (first && !run.stoppedEarly) {
    const { allNamespaces, namespaces, labelSelector, includePending, ...others } = flags;
    const words = [`${first.namespace}/${first.name}`];
    const why = `Next, see why ${left.length > 1 ? 'the first of them' : 'it'} is still stuck:`;
    return { why, command: commandLine(program, 'explain', words, others) };
  }
  if (run.dryRun) {
    const does = countPlanned(report).pods > 0 ? 'Nothing was changed. To sweep, omit --dry-run.' : '';
    const isBlocked = pods.some((pod) =>
      sidecarsOf(pod).some(({ steps }) => steps.some((one) => one.blocked)),
    );
    if (!isBlocked) return does === '' ? undefined : { why: does };
    const why = `${does} Next, see what ends those that are blocked:`.trim();
    return { why, command: `${program} explain --reason Blocked` };
  }
  if (pods.some(isLeftForNext)) return { why: 'Run the sweep again for the remaining pods.' };
  if (pods.length === 0 || run.stoppedEarly) return undefined;
  const why = 'Next time pods are stuck here, first see why, and how to cure it for good:';
  return { why, command: adviseAlike(flags, program) };
}

export function adviseAlike(flags: Flags, program: string): string {
  return commandLine(program, 'advise', [], flags);
}

export function nextAfterScan(
  { candidates, unread }: Scan,
  flags: Flags,
  program: string,
): NextStep | undefined {
  if (unread.some(({ problem }) => problem === 'Forbidden')) return checkAccess(flags, program);
  if (candidates.length === 0) return undefined;
  const command = commandLine(program, 'sweep', ['--dry-run'], flags);
  return { why: 'Next, see what a sweep would do about them:', command };
}

function checkAccess(flags: Flags, program: string): NextStep {
  const command = commandLine(program, 'check-access', [], { ...flags, minAge: undefined });
  return { why: 'Next, see which permissions this account lacks:', command };
}
