import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { type OpenCluster, openCluster } from '../../kube/cluster.ts';
import { loadConfig } from '../../kube/config.ts';
import type { Emit } from '../../ports.ts';
import { exitCodeOf, exitCodes } from '../../report/exit-code.ts';
import { ReportFold } from '../../report/fold.ts';
import { renderJson } from '../../report/json.ts';
import { renderTable } from '../../report/table.ts';
import { sweep } from '../../sweep.ts';
import type { Millis, Policy, StopReason } from '../../types.ts';
import { version } from '../../version.ts';
import { systemClock } from '../clock.ts';
import {
  addConnectionFlags,
  addOutputFlags,
  addScopeFlags,
  type ConnectionFlags,
  namespacesOf,
  type OutputFlags,
  positiveDuration,
  type ScopeFlags,
  wholeNumber,
} from '../flags.ts';
import { createLog, type Log, type LogLevel, logLevels } from '../log.ts';
import { ownPod } from '../own-pod.ts';
import { policyOf } from '../policy.ts';
import { createProgress } from '../progress.ts';
import { addPublishFlags, type PublishFlags, publish } from '../publish.ts';
import { addShardFlags, chooseShard, type ShardFlags } from '../shard.ts';
import { print, type Run, type Surroundings, usesColour } from '../surroundings.ts';

export interface SweepFlags extends ConnectionFlags, ScopeFlags, ShardFlags, OutputFlags, PublishFlags {
  readonly dryRun?: boolean;
  readonly concurrency: number;
  readonly deadline?: Millis;
  readonly logLevel?: LogLevel;
  readonly verbose?: boolean;
}

/** `sidecar-sweeper`: one sweep. */
export function defineSweep(program: Command, choose: (run: Run) => void): void {
  addSweepFlags(program).action((flags: SweepFlags) => {
    const namespaces = namespacesOf(flags);
    choose((surroundings) => runSweep(flags, namespaces, surroundings));
  });
}

export function addSweepFlags(command: Command): Command {
  addShardFlags(addScopeFlags(command))
    .option('-v, --verbose', 'name every pod that was left alone, with the reasons')
    .option('--dry-run', 'show what would be done and send nothing but reads')
    .option('--concurrency <number>', 'requests in flight at a time', wholeNumber(1, 1000), 20)
    .option('--deadline <duration>', 'end the sweep after this time, report included', positiveDuration)
    .addOption(
      new Option('--log-level <level>', 'what to log on stderr (default: info; error on a terminal)').choices(
        logLevels,
      ),
    );
  return addPublishFlags(addOutputFlags(addConnectionFlags(command)));
}

async function runSweep(
  flags: SweepFlags,
  namespaces: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { env, stdout, stderr } = surroundings;
  const policy = policyOf(flags, namespaces, chooseShard(flags, env));
  const cluster = await openCluster(loadConfig({ ...flags, env }), flags.requestTimeout);
  const fold = new ReportFold({ verbose: flags.verbose ?? false });
  const { log, emit, silence } = listen(fold, flags, stderr);
  const failure = await sweepUntilStopped(flags, policy, cluster, emit, surroundings);
  await cluster.close();
  silence();

  const report = fold.report();
  const exitCode = failure === undefined ? exitCodeOf(report) : exitCodes.internal;
  const output = flags.output ?? (stdout.isTTY ? 'table' : 'json');
  const colour = usesColour(stdout, env);
  await print(stdout, output === 'json' ? renderJson(report) : renderTable(report, { colour }));
  await publish(report, exitCode, flags, log);
  await log.finish(report, exitCode);
  if (failure !== undefined) throw failure;
  return exitCode;
}

/** The report, the log and, on a terminal, one line of progress: none of them can influence the run. */
function listen(
  fold: ReportFold,
  { logLevel }: SweepFlags,
  stderr: Surroundings['stderr'],
): { readonly log: Log; readonly emit: Emit; readonly silence: () => void } {
  const terminal = stderr.isTTY === true;
  const level = logLevel ?? (terminal ? 'error' : 'info');
  const log = createLog({ stream: stderr, plain: terminal, level });
  const progress = terminal && logLevel === undefined ? createProgress(stderr) : undefined;
  return {
    log,
    emit(event) {
      fold.hear(event);
      progress?.hear(event);
      log.hear(event);
    },
    silence: () => progress?.stop(),
  };
}

/** Runs the sweep until it is through, its deadline or a signal; what it threw, so that the report still comes. */
async function sweepUntilStopped(
  { deadline, dryRun, concurrency }: SweepFlags,
  policy: Policy,
  cluster: OpenCluster,
  emit: Emit,
  { env, onSignal }: Surroundings,
): Promise<unknown> {
  const stopping = new AbortController();
  const stop = (reason: StopReason) => {
    if (stopping.signal.aborted) return;
    stopping.abort(reason);
    emit({ kind: 'Stopping', reason });
  };
  const timer = deadline && setTimeout(() => stop('Deadline'), deadline);
  onSignal(() => stop('Signal'));
  const { context, server } = cluster;
  try {
    await sweep({
      run: { id: randomUUID(), version, dryRun: dryRun ?? false, context, server },
      policy,
      cluster,
      self: ownPod(env),
      clock: systemClock,
      emit,
      concurrency,
      stop: stopping.signal,
    });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    if (timer) clearTimeout(timer);
  }
}
