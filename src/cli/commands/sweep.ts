import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { OpenCluster } from '../../kube/cluster.ts';
import type { Emit } from '../../ports.ts';
import { printable } from '../../printable.ts';
import { exitCodeOf, exitCodes } from '../../report/exit-code.ts';
import { ReportFold } from '../../report/fold.ts';
import { renderJson } from '../../report/json.ts';
import { renderTable } from '../../report/table.ts';
import { sweep } from '../../sweep.ts';
import { version } from '../../version.ts';
import type { Millis, Policy, Problem, Warning } from '../../vocabulary.ts';
import { systemClock } from '../clock.ts';
import { connect } from '../connect.ts';
import {
  addConnectionFlags,
  addOutputFlags,
  addPolicyFlags,
  addScopeFlags,
  type ConnectionFlags,
  namespacesOf,
  type OutputFlags,
  type PolicyFileFlags,
  positiveDuration,
  type ScopeFlags,
  wholeNumber,
} from '../flags.ts';
import { holdBack } from '../hold-back.ts';
import { addLockFlags, enter, type LockFlags } from '../lock.ts';
import { createLog, type Log, type LogLevel, logLevels } from '../log.ts';
import { ownPod, whoRuns } from '../own-pod.ts';
import { addEventFlags, createPodEvents, type EventFlags } from '../pod-events.ts';
import { loadPolicy } from '../policy.ts';
import { createProgress } from '../progress.ts';
import { addPublishFlags, type PublishFlags, publish } from '../publish.ts';
import { addShardFlags, chooseShard, type ShardFlags } from '../shard.ts';
import { createStop, type Stop } from '../stop.ts';
import { print, type Run, type Surroundings, usesColour } from '../surroundings.ts';

export interface SweepFlags
  extends ConnectionFlags,
    ScopeFlags,
    ShardFlags,
    PolicyFileFlags,
    LockFlags,
    EventFlags,
    OutputFlags,
    PublishFlags {
  readonly dryRun?: boolean;
  readonly concurrency: number;
  readonly deadline?: Millis;
  readonly logLevel?: LogLevel;
  readonly verbose?: boolean;
}

/** `sidecar-sweeper`: one sweep. */
export function defineSweep(program: Command, choose: (run: Run) => void): void {
  addSweepFlags(program).action((flags: SweepFlags) => {
    // Flags that exclude each other are bad usage, told before anything is read.
    namespacesOf(flags);
    choose((surroundings) => runSweep(flags, surroundings));
  });
}

export function addSweepFlags(command: Command): Command {
  addPolicyFlags(addShardFlags(addScopeFlags(command)))
    .option('-v, --verbose', 'name every pod that was left alone, with the reasons')
    .option('--dry-run', 'show what would be done and send nothing but reads')
    .option('--concurrency <number>', 'requests in flight at a time', wholeNumber(1, 1000), 20)
    .option('--deadline <duration>', 'end the sweep after this time, report included', positiveDuration)
    .addOption(
      new Option('--log-level <level>', 'what to log on stderr (default: info; error on a terminal)').choices(
        logLevels,
      ),
    );
  return addPublishFlags(addEventFlags(addLockFlags(addOutputFlags(addConnectionFlags(command)))));
}

async function runSweep(flags: SweepFlags, surroundings: Surroundings): Promise<number> {
  const { env, stdout, stderr } = surroundings;
  const policy = loadPolicy(flags, chooseShard(flags, env));
  const cluster = await connect(flags, env);
  const runId = randomUUID();
  const fold = new ReportFold({ verbose: flags.verbose ?? false });
  const { log, emit: tell, finish } = listen(fold, runId, flags, cluster, surroundings);
  const { emit, later } = holdBack(tell);
  const stop = createStop(flags.deadline, surroundings, (reason) => emit({ kind: 'Stopping', reason }));
  const entry = await enter({
    leases: cluster,
    flags,
    dryRun: flags.dryRun ?? false,
    shard: policy.scope.shard,
    runId,
    env,
    onLost: () => stop.now('LockLost'),
    onUnlocked: (problem) => later({ kind: 'Warned', warning: unlockedBy(problem) }),
  });
  if (entry.kind === 'Held') {
    stop.clear();
    await cluster.close();
    const message = `nothing done: ${printable(entry.holder)} is sweeping`;
    if (stderr.isTTY) await print(stderr, `sidecar-sweeper: ${message}\n`);
    else await log.note(message, { event: 'LockHeld', holder: entry.holder });
    return exitCodes.resolved;
  }
  const failure = await sweepUntilStopped(runId, flags, policy, cluster, emit, stop, env);
  await entry.leave();
  await finish();
  await cluster.close();

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

function unlockedBy({ kind, message }: Problem): Warning {
  const advice = kind === 'Forbidden' ? '; grant get, create and update on leases there' : '';
  return { kind: 'Unlocked', message: `${message}${advice}` };
}

interface Listeners {
  readonly log: Log;
  readonly emit: Emit;
  /** Once the sweep is over. */
  finish(): Promise<void>;
}

/** The report, the log, events on pods and, on a terminal, one line of progress: none can influence the run. */
function listen(
  fold: ReportFold,
  runId: string,
  { logLevel, events }: SweepFlags,
  cluster: OpenCluster,
  { stderr, env }: Surroundings,
): Listeners {
  const terminal = stderr.isTTY === true;
  const level = logLevel ?? (terminal ? 'error' : 'info');
  const log = createLog({ stream: stderr, plain: terminal, level, runId });
  const progress = terminal && logLevel === undefined ? createProgress(stderr) : undefined;
  const podEvents = events
    ? createPodEvents({ events: cluster, clock: systemClock, reporter: whoRuns(env), log })
    : undefined;
  return {
    log,
    emit(event) {
      fold.hear(event);
      progress?.hear(event);
      log.hear(event);
      podEvents?.hear(event);
    },
    async finish() {
      progress?.stop();
      await podEvents?.finish();
    },
  };
}

/** Runs the sweep until it is through or stopped; what it threw, so that the report still comes. */
async function sweepUntilStopped(
  id: string,
  { dryRun, concurrency }: SweepFlags,
  policy: Policy,
  cluster: OpenCluster,
  emit: Emit,
  stop: Stop,
  env: Surroundings['env'],
): Promise<unknown> {
  const { context, server } = cluster;
  try {
    await sweep({
      run: { id, version, dryRun: dryRun ?? false, context, server },
      policy,
      cluster,
      self: ownPod(env),
      clock: systemClock,
      emit,
      concurrency,
      stop: stop.signal,
    });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    stop.clear();
  }
}
