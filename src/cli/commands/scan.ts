import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { printable } from '../../printable.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { renderJson } from '../../report/json.ts';
import { renderScan } from '../../report/scan-table.ts';
import { describeProblem } from '../../report/texts/warnings.ts';
import { scan } from '../../scan.ts';
import { version } from '../../version.ts';
import { systemClock } from '../clock.ts';
import { connect } from '../connect.ts';
import {
  addConnectionFlags,
  addOutputFlags,
  addPolicyFileFlag,
  addScopeFlags,
  type ConnectionFlags,
  namespacesOf,
  type OutputFlags,
  type PolicyFileFlags,
  type ScopeFlags,
} from '../flags.ts';
import { ownPod } from '../own-pod.ts';
import { loadPolicy } from '../policy.ts';
import { print, type Run, type Surroundings, usesColour } from '../surroundings.ts';

type ScanFlags = ConnectionFlags & ScopeFlags & OutputFlags & Pick<PolicyFileFlags, 'policy'>;

/** `sidecar-sweeper scan`: the pods that a sweep would act on, and nothing else. */
export function defineScan(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('scan')
    .description('lists the pods that are stuck; needs nothing but get and list, and changes nothing');
  addOutputFlags(addConnectionFlags(addPolicyFileFlag(addScopeFlags(command)))).action((flags: ScanFlags) => {
    // Flags that exclude each other are bad usage, told before anything is read.
    namespacesOf(flags);
    choose((surroundings) => runScan(flags, surroundings));
  });
}

/** As many reads at a time as a sweep has by default. */
const concurrency = 20;

async function runScan(flags: ScanFlags, { env, stdout, stderr, onSignal }: Surroundings): Promise<number> {
  const policy = loadPolicy(flags);
  const cluster = await connect(flags, env);
  const stopping = new AbortController();
  onSignal(() => stopping.abort('Signal'));
  const problems: string[] = [];
  const { context, server } = cluster;
  const found = await scan({
    run: { id: randomUUID(), version, dryRun: true, context, server },
    policy,
    cluster,
    self: ownPod(env),
    clock: systemClock,
    emit(event) {
      if (event.kind === 'ReadFailed') problems.push(describeProblem(event.problem, event.namespace));
    },
    concurrency,
    stop: stopping.signal,
  });
  await cluster.close();

  const asTable = (flags.output ?? (stdout.isTTY ? 'table' : 'json')) === 'table';
  await print(stdout, asTable ? renderScan(found, { colour: usesColour(stdout, env) }) : renderJson(found));
  for (const problem of problems) await print(stderr, `sidecar-sweeper: ${printable(problem)}\n`);
  return problems.length > 0 ? exitCodes.unread : exitCodes.resolved;
}
