import type { Command } from 'commander';
import { checkAccess } from '../../check-access.ts';
import { defaults } from '../../defaults.ts';
import { renderAccess } from '../../report/access/access.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { addConnectionFlags, type ConnectionFlags } from '../flags/connection.ts';
import { addPolicyFlags, type PolicyFileFlags } from '../flags/policy.ts';
import { addScopeFlags, type ScopeFlags } from '../flags/scope.ts';
import { addOutputFlags, complain, type OutputFlags, say } from '../output.ts';
import { loadPolicy } from '../policy.ts';
import type { Run, Surroundings } from '../surroundings.ts';
import { addLockFlags, type LockFlags, lockNamespace } from '../sweep/lock.ts';
import { addEventFlags, type EventFlags } from '../sweep/pod-events.ts';
import { withCluster } from '../with-cluster.ts';

interface CheckAccessFlags
  extends ConnectionFlags,
    ScopeFlags,
    PolicyFileFlags,
    LockFlags,
    EventFlags,
    OutputFlags {}

/** `sidecar-sweeper check-access`: which permissions the account has, and the RBAC rules that are missing. */
export function defineCheckAccess(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('check-access')
    .description('check whether the account has every permission that a sweep with these flags needs');
  const scoped = addLockFlags(addEventFlags(addPolicyFlags(addScopeFlags(command))));
  addOutputFlags(addConnectionFlags(scoped)).action((flags: CheckAccessFlags) =>
    choose((surroundings) => runCheckAccess(flags, surroundings)),
  );
}

async function runCheckAccess(flags: CheckAccessFlags, surroundings: Surroundings): Promise<number> {
  const policy = loadPolicy(flags);
  const report = await withCluster(flags, surroundings, (cluster, stop) =>
    checkAccess({
      policy,
      cluster,
      events: flags.events ?? false,
      lockNamespace: lockNamespace(flags, surroundings.env),
      concurrency: defaults.concurrency,
      stop: stop.signal,
    }),
  );
  await say({ document: report, table: (style) => renderAccess(report, style) }, flags, surroundings);
  if (report.permissions.every(({ allowed }) => allowed === 'Unknown')) {
    const advice = 'log in again, or choose another context with --context';
    await complain(surroundings, `the permissions of this account are unknown; ${advice}`);
    return exitCodes.unread;
  }
  return report.rulesToAdd.length > 0 ? exitCodes.unresolved : exitCodes.resolved;
}
