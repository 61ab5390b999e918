import { checkAccess } from '../../check-access.ts';
import { accessView } from '../../report/access.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { withLoginAdvice } from '../../report/texts/warnings.ts';
import { lockNamespace, withCluster } from '../cluster.ts';
import type { FlagsOf } from '../flags.ts';
import { complain, type Io } from '../io.ts';
import { printOut } from '../output.ts';
import { inContext, loadPolicy } from '../policy.ts';

export async function runCheckAccess(flags: FlagsOf<'check-access'>, io: Io): Promise<number> {
  const policy = loadPolicy(flags, io.env);
  const { report, problem } = await withCluster(flags, io, (cluster, stop) =>
    checkAccess({
      policy: inContext(policy, flags, cluster),
      cluster,
      lockNamespace: lockNamespace(flags, io.env),
      stop: stop.signal,
    }),
  );
  const isUnknown = report.permissions.every(({ allowed }) => allowed === 'Unknown');
  const printout = {
    document: report,
    // The message on stderr says why nothing is known.
    view: () => (isUnknown ? { sections: [] } : accessView(report)),
    records: () => report.permissions,
  };
  await printOut(printout, flags, io);
  if (problem) {
    const unknown = isUnknown ? 'the permissions' : 'some permissions';
    await complain(io, `${unknown} of this account are unknown: ${withLoginAdvice(problem)}`);
  }
  if (problem?.kind === 'Interrupted') return exitCodes.stopped;
  if (isUnknown) return exitCodes.unread;
  return report.rulesToAdd.length > 0 ? exitCodes.unresolved : exitCodes.resolved;
}
