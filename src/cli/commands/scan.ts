import type { OpenCluster } from '../../kube/cluster.ts';
import { describeFault } from '../../model/reading.ts';
import type { Policy } from '../../policy/policy.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { foundRecords } from '../../report/judged-pods.ts';
import { podArgument } from '../../report/names.ts';
import { type Scan, scanView } from '../../report/scan.ts';
import { describeUnread } from '../../report/texts/warnings.ts';
import { type ScanOptions, scan } from '../../scan.ts';
import { type Millis, systemClock } from '../../util/time.ts';
import { ownPod, withCluster } from '../cluster.ts';
import type { FlagsOf, GivenFlags } from '../flags.ts';
import { complain, type Io, write } from '../io.ts';
import { adviseAlike, type NextStep, nextAfterScan, printNextStep } from '../next-step.ts';
import { type Printout, printOut, withVerbose } from '../output.ts';
import { inContext, loadPolicy } from '../policy.ts';

export function runScan(flags: FlagsOf<'scan'>, io: Io): Promise<number> {
  return runSearch(scan, flags, io, (found, { scope }) => ({
    document: found,
    view: (style) => scanView(found, withVerbose(style, flags), adviseAlike(flags, io.program)),
    records: () => foundRecords(found),
    names: () => found.candidates.map((pod) => podArgument(pod, scope)),
    next: nextAfterScan(found, flags, io.program),
  }));
}

/** Longer than a list of 100,000 pods takes. */
const timeBetweenLooks: Millis = 10_000;

export async function runSearch<Found extends Pick<Scan, 'unread'>>(
  search: (options: ScanOptions & { readonly cluster: OpenCluster }) => Promise<Found>,
  flags: GivenFlags,
  io: Io,
  toPrintout: (found: Found, policy: Policy) => Printout & { readonly next?: NextStep | undefined },
): Promise<number> {
  const loaded = loadPolicy(flags, io.env);
  return withCluster(flags, io, async (cluster, { signal }) => {
    const policy = inContext(loaded, flags, cluster);
    let printed: string | undefined;
    for (;;) {
      const complaints: string[] = [];
      const found = await search({
        policy,
        cluster,
        self: ownPod(io.env),
        emit(event) {
          if (event.kind === 'ReadFailed') complaints.push(describeUnread(event));
          if (event.kind === 'FaultFound') complaints.push(describeFault(event.fault));
        },
        stop: signal,
      });
      const { asOf: _, ...same } = { asOf: undefined, ...found };
      if (JSON.stringify(same) !== printed) {
        if (printed !== undefined) await write(io.stdout, '\n');
        // The cause comes first.
        for (const complaint of complaints) await complain(io, complaint);
        const printout = toPrintout(found, policy);
        await printOut(printout, flags, io);
        await printNextStep(printout.next, flags, io);
      }
      printed = JSON.stringify(same);
      if (flags.watch && !signal.aborted) await systemClock.sleep(timeBetweenLooks, signal);
      if (flags.watch && !signal.aborted) continue;
      if (found.unread.length === 0) return exitCodes.resolved;
      return signal.aborted ? exitCodes.stopped : exitCodes.unread;
    }
  });
}
