// Sweeps a cluster again and again in one process, and says at times what the process holds: node --expose-gc.

import { loadConfig } from '../../src/kube/auth/config.ts';
import { openCluster } from '../../src/kube/cluster.ts';
import { resolvePolicy } from '../../src/policy/policy.ts';
import { ReportFold } from '../../src/report/sweep/fold.ts';
import { sweep } from '../../src/sweep.ts';
import { type Clock, systemClock } from '../../src/util/time.ts';

/** What a process holds when it does nothing. */
export interface Holding {
  readonly sweeps: number;
  /** The pods that all sweeps ended so far. */
  readonly ended: number;
  readonly heapMiB: number;
  /** Sockets, timers and the like, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Listeners of the process, by event. */
  readonly listeners: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

const [, , kubeconfig, times, every, speed] = process.argv;
const warnings: string[] = [];
process.on('warning', ({ message }) => void warnings.push(message));

/** As fast as the emulator's. */
const clock: Clock = {
  now: () => performance.timeOrigin + performance.now() * Number(speed),
  sleep: (time, abort) => systemClock.sleep(time / Number(speed), abort),
};
const config = await loadConfig({ kubeconfig, env: {} });
const policy = resolvePolicy({ namespaces: ['demo'], minAge: 0, lastResort: [] }, undefined);

let ended = 0;
for (let sweeps = 0; sweeps <= Number(times); sweeps++) {
  if (sweeps % Number(every) === 0) console.log(JSON.stringify(await holding(sweeps)));
  ended += await sweepOnce();
}

async function sweepOnce(): Promise<number> {
  const cluster = await openCluster(config, 30_000, { pace: { clock, random: Math.random } });
  const fold = new ReportFold();
  await sweep({
    run: { id: 'again', version: 'test', dryRun: false, context: '', server: '' },
    policy,
    cluster,
    self: undefined,
    clock,
    emit: (event) => fold.hear(event),
    concurrency: 5,
    stop: new AbortController().signal,
  });
  await cluster.close();
  return fold.report().pods.filter(({ outcome }) => outcome.kind === 'Ended').length;
}

async function holding(sweeps: number): Promise<Holding> {
  // Sockets that are closed are gone a moment later.
  await systemClock.sleep(200, new AbortController().signal);
  globalThis.gc?.();
  const { heapUsed } = process.memoryUsage();
  const events = process.eventNames().map(String);
  return {
    sweeps,
    ended,
    heapMiB: heapUsed / 2 ** 20,
    resources: count(process.getActiveResourcesInfo()),
    listeners: Object.fromEntries(events.map((event) => [event, process.listenerCount(event)])),
    warnings,
  };
}

function count(kinds: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...new Set(kinds)].sort().map((kind) => [kind, kinds.filter((one) => one === kind).length]),
  );
}
