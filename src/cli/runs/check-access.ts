import { checkAccess } from '../../check-access.ts';
import { defaults } from '../../policy/defaults.ts';
import { renderAccess } from '../../report/access/access.ts';
import { accessMarkdown } from '../../report/access/markdown.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { withLoginAdvice } from '../../report/texts/warnings.ts';
import type { ConnectionFlags } from '../flags/connection.ts';
import type { EventFlags } from '../flags/events.ts';
import type { LockFlags } from '../flags/lock.ts';
import type { PolicyFileFlags } from '../flags/policy.ts';
import type { ScopeFlags } from '../flags/scope.ts';
import { complain, type OutputFlags, type Said, say } from '../output.ts';
import { loadPolicy } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';
import { lockNamespace } from '../sweep/lock.ts';
import { withCluster } from '../with-cluster.ts';

export interface CheckAccessFlags
  extends ConnectionFlags,
    ScopeFlags,
    PolicyFileFlags,
    LockFlags,
    EventFlags,
    OutputFlags {}

export async function runCheckAccess(flags: CheckAccessFlags, surroundings: Surroundings): Promise<number> {
  const policy = loadPolicy(flags);
  const { report, problem } = await withCluster(flags, surroundings, (cluster, stop) =>
    checkAccess({
      policy,
      cluster,
      warnings: cluster.warnings,
      events: flags.events ?? false,
      lockNamespace: lockNamespace(flags, surroundings.env),
      concurrency: defaults.concurrency,
      stop: stop.signal,
    }),
  );
  const isUnknown = report.permissions.every(({ allowed }) => allowed === 'Unknown');
  // People read the one line that says why.
  const said: Said = {
    document: report,
    table: (style) => (isUnknown ? '' : renderAccess(report, style)),
    markdown: () => (isUnknown ? '' : accessMarkdown(report)),
    records: () => report.permissions,
  };
  await say(said, flags, surroundings);
  if (problem) {
    const unknown = isUnknown ? 'the permissions' : 'some permissions';
    await complain(surroundings, `${unknown} of this account are unknown: ${withLoginAdvice(problem)}`);
  }
  if (problem?.kind === 'Interrupted') return exitCodes.stopped;
  if (isUnknown) return exitCodes.unread;
  return report.rulesToAdd.length > 0 ? exitCodes.unresolved : exitCodes.resolved;
}
