import type { OpenCluster } from '../../kube/cluster.ts';
import { describeFault } from '../../model/reading.ts';
import type { Policy } from '../../policy/policy.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { lookRecords } from '../../report/look.ts';
import { podArgument } from '../../report/names.ts';
import { type Scan, scanView } from '../../report/scan.ts';
import { describeUnread } from '../../report/texts/warnings.ts';
import { type ScanOptions, scan } from '../../scan.ts';
import { ownPod, withCluster } from '../cluster.ts';
import { defaults, type FlagsOf, type GivenFlags } from '../flags.ts';
import { complain, type Io } from '../io.ts';
import { type Printout, printOut, withVerbose } from '../output.ts';
import { loadPolicy } from '../policy.ts';
import { type NextStep, nextAfterScan, printNextStep } from '../sweep/printout.ts';

/** `sidecar-sweeper scan`: the pods that a sweep would act on. */
export function runScan(flags: FlagsOf<'scan'>, io: Io): Promise<number> {
  const printout = (found: Scan, { scope }: Policy): Printout => ({
    document: found,
    view: (style) => scanView(found, withVerbose(style, flags)),
    records: () => lookRecords(found, 'StuckPod', found.candidates),
    names: () => found.candidates.map((pod) => podArgument(pod, scope)),
  });
  return runSearch(scan, printout, flags, io, nextAfterScan);
}

/** Looks for stuck pods in the cluster that the flags name, and prints what was found. Changes nothing. */
export async function runSearch<Found extends Pick<Scan, 'unread'>>(
  search: (options: ScanOptions & { readonly cluster: OpenCluster }) => Promise<Found>,
  printout: (found: Found, policy: Policy) => Printout,
  flags: GivenFlags,
  io: Io,
  next?: (found: Found, flags: GivenFlags, program: string) => NextStep | undefined,
): Promise<number> {
  const policy = loadPolicy(flags, io.env);
  const problems: string[] = [];
  const faults: string[] = [];
  const { found, isStopped } = await withCluster(flags, io, async (cluster, { signal }) => {
    const found = await search({
      where: { context: cluster.context, server: cluster.server },
      policy,
      cluster,
      warnings: cluster.warnings,
      self: ownPod(io.env),
      emit(event) {
        if (event.kind === 'ReadFailed') problems.push(describeUnread(event));
        if (event.kind === 'FaultFound') faults.push(describeFault(event.fault));
      },
      concurrency: defaults.concurrency,
      stop: signal,
    });
    return { found, isStopped: signal.aborted };
  });
  // The cause comes first.
  for (const complaint of [...problems, ...faults]) await complain(io, complaint);
  await printOut(printout(found, policy), flags, io);
  await printNextStep(next?.(found, flags, io.program), flags, io);
  if (found.unread.length === 0) return exitCodes.resolved;
  return isStopped ? exitCodes.stopped : exitCodes.unread;
}
