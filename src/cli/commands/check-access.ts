import type { Command } from 'commander';
import { checkAccess } from '../../check-access.ts';
import { renderAccess } from '../../report/access.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { renderJson } from '../../report/json.ts';
import { connect } from '../connect.ts';
import {
  addConnectionFlags,
  addOutputFlags,
  addPolicyFlags,
  addScopeFlags,
  type ConnectionFlags,
  type OutputFlags,
  type PolicyFileFlags,
  type ScopeFlags,
} from '../flags.ts';
import { addLockFlags, type LockFlags, lockNamespace } from '../lock.ts';
import { addEventFlags, type EventFlags } from '../pod-events.ts';
import { loadPolicy } from '../policy.ts';
import { print, type Run, type Surroundings, usesColour } from '../surroundings.ts';

interface CheckAccessFlags
  extends ConnectionFlags,
    ScopeFlags,
    PolicyFileFlags,
    LockFlags,
    EventFlags,
    OutputFlags {}

/** `sidecar-sweeper check-access`: what the account may do, and the rules that would let it do the rest. */
export function defineCheckAccess(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('check-access')
    .description('ask the API server for every permission that a sweep with these flags needs');
  const scoped = addLockFlags(addEventFlags(addPolicyFlags(addScopeFlags(command))));
  addOutputFlags(addConnectionFlags(scoped)).action((flags: CheckAccessFlags) =>
    choose((surroundings) => runCheckAccess(flags, surroundings)),
  );
}

/** As many questions at a time as a sweep has requests by default. */
const concurrency = 20;

async function runCheckAccess(
  flags: CheckAccessFlags,
  { env, stdout, stderr, onSignal }: Surroundings,
): Promise<number> {
  const policy = loadPolicy(flags);
  const cluster = await connect(flags, env);
  const stopping = new AbortController();
  onSignal(() => stopping.abort('Signal'));
  const report = await checkAccess({
    policy,
    cluster,
    events: flags.events ?? false,
    lockNamespace: lockNamespace(flags, env),
    concurrency,
    stop: stopping.signal,
  });
  await cluster.close();
  const asTable = (flags.output ?? (stdout.isTTY ? 'table' : 'json')) === 'table';
  const colour = usesColour(stdout, env);
  await print(stdout, asTable ? renderAccess(report, { colour }) : renderJson(report));
  if (report.access.every(({ allowed }) => allowed === 'Unknown')) {
    const advice = 'log in again, or choose another context with --context';
    await print(stderr, `sidecar-sweeper: the API server does not say what this account may do; ${advice}\n`);
    return exitCodes.unread;
  }
  return report.rulesToAdd.length > 0 ? exitCodes.unresolved : exitCodes.resolved;
}
