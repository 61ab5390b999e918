import { randomUUID } from 'node:crypto';
import { openCluster } from '../kube/cluster.ts';
import { ConfigError, loadConfig } from '../kube/config.ts';
import { catalogue } from '../policy/catalogue.ts';
import { exitCodeOf, exitCodes } from '../report/exit-code.ts';
import { ReportFold } from '../report/fold.ts';
import { renderJson } from '../report/json.ts';
import { renderTable } from '../report/table.ts';
import { sweep } from '../sweep.ts';
import type { Policy, StopReason } from '../types.ts';
import { version } from '../version.ts';
import { systemClock } from './clock.ts';
import { createLog } from './log.ts';
import { type CliOptions, parseArguments } from './options.ts';
import { createProgress } from './progress.ts';

/** The process as the command sees it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls back for every SIGTERM or SIGINT. */
  onSignal(callback: () => void): void;
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** The whole command: argv in, exit code out. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings;
  const parsed = parseArguments(argv);
  switch (parsed.kind) {
    case 'Help':
      stdout.write(parsed.text);
      return exitCodes.resolved;
    case 'Wrong':
      stderr.write(`sidecar-sweeper: ${parsed.message}; see sidecar-sweeper --help\n`);
      return exitCodes.usage;
    case 'Sweep':
      try {
        return await runSweep(parsed.options, surroundings);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        stderr.write(`sidecar-sweeper: ${error.message}\n`);
        return exitCodes.usage;
      }
  }
}

async function runSweep(
  options: CliOptions,
  { env, stdout, stderr, onSignal }: Surroundings,
): Promise<number> {
  const cluster = await openCluster(loadConfig({ ...options, env }), options.requestTimeout);
  const policy: Policy = {
    scope: { namespaces: options.namespaces, labelSelector: options.labelSelector },
    minAge: options.minAge,
    catalogue,
  };
  const terminal = stderr.isTTY === true;
  const fold = new ReportFold();
  const log = createLog({
    stream: stderr,
    plain: terminal,
    level: options.logLevel ?? (terminal ? 'error' : 'info'),
  });
  const progress = terminal && options.logLevel === undefined ? createProgress(stderr) : undefined;
  const listeners = [(event: Parameters<typeof log.hear>[0]) => fold.hear(event), progress?.hear, log.hear];
  const emit: typeof log.hear = (event) => {
    for (const listener of listeners) listener?.(event);
  };

  const stopping = new AbortController();
  const stop = (reason: StopReason) => {
    if (stopping.signal.aborted) return;
    stopping.abort(reason);
    emit({ kind: 'Stopping', reason });
  };
  const timer = options.deadline && setTimeout(() => stop('Deadline'), options.deadline);
  onSignal(() => stop('Signal'));

  const { context, server } = cluster;
  let failure: unknown;
  await sweep({
    run: { id: randomUUID(), version, dryRun: options.dryRun, context, server },
    policy,
    cluster,
    clock: systemClock,
    emit,
    concurrency: options.concurrency,
    stop: stopping.signal,
  }).catch((error: unknown) => {
    failure = error;
  });
  if (timer) clearTimeout(timer);
  await cluster.close();
  progress?.stop();

  const report = fold.report();
  const exitCode = failure === undefined ? exitCodeOf(report) : exitCodes.internal;
  const output = options.output ?? (stdout.isTTY ? 'table' : 'json');
  const text =
    output === 'json' ? renderJson(report) : renderTable(report, { colour: usesColour(stdout, env) });
  await new Promise<void>((resolve) => stdout.write(text, () => resolve()));
  await log.finish(report, exitCode);
  if (failure !== undefined) throw failure;
  return exitCode;
}

function usesColour(stdout: Output, env: Surroundings['env']): boolean {
  return stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
