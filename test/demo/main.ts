// `npm run demo`: a cluster of stuck pods, swept by the built command before your eyes.
// `-o json` prints the report and nothing else; `--keep` leaves the cluster up for a look with kubectl; `--why` sweeps
// nothing, and shows what is stuck and why.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCli } from '../cli.ts';
import { fillCluster, memberBehaviours, members } from '../emulator/cluster.ts';
import { type Emulator, startEmulator } from '../emulator/index.ts';
import { knownImages } from '../emulator/programs.ts';
import type { Pod } from '../emulator/world/objects.ts';
import { sharedPidNamespaceAvailable } from '../emulator/world/runtime/processes.ts';
import { getPods } from './get-pods.ts';

const { values } = parseArgs({
  options: {
    output: { type: 'string', short: 'o', default: 'table' },
    keep: { type: 'boolean', default: false },
    why: { type: 'boolean', default: false },
  },
});
const say = (text: string) => (values.output === 'json' ? undefined : console.log(text));

const why = sharedPidNamespaceAvailable();
const emulator = await startEmulator(
  why === undefined
    ? { runtime: 'processes', images: knownImages }
    : { runtime: 'light', behaviours: memberBehaviours },
);
const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-demo-'));
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, emulator.kubeconfig(), { mode: 0o600 });

try {
  fillCluster(emulator);
  const containers = why === undefined ? 'real processes' : `mere state (${why})`;
  say(
    `An emulated Kubernetes cluster, whose containers are ${containers}: ${members.length} workloads start.\n`,
  );
  await mainsHaveEnded(emulator);

  if (values.why) await showWhy();
  else await showSweep();
  if (values.keep) await keepUntilInterrupted();
} finally {
  await emulator.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The cluster before, the sweep, the cluster after. */
async function showSweep(): Promise<void> {
  say('$ kubectl get pods -A\n');
  say(await getPods(emulator));
  await show(['--min-age', '1s']);
  say('$ kubectl get pods -A\n');
  say(await getPods(emulator));
}

/** What is stuck, and why one pod is and another is not. */
async function showWhy(): Promise<void> {
  await show(['scan', '--min-age', '1s']);
  for (const member of ['invoice-mail', 'import-long']) {
    const pod = emulator.world.store
      .list<Pod>('pods')
      .find(({ metadata }) => metadata.name.startsWith(member));
    if (pod) await show(['explain', `${pod.metadata.namespace}/${pod.metadata.name}`, '--min-age', '1s']);
  }
}

/** Runs the built command, and shows what it prints and its exit code. */
async function show(argv: readonly string[]): Promise<void> {
  say(`\n$ sidecar-sweeper ${argv.join(' ')}\n`);
  const run = await runCli([...argv, '-o', values.output, '--kubeconfig', kubeconfig]);
  process.stdout.write(run.stdout);
  if (run.stdout === '') process.stderr.write(run.stderr);
  say(`\nexit code ${run.exitCode}\n`);
}

/** Until every main that is to end has ended, and long enough ago for the sweep. */
async function mainsHaveEnded({ world }: Emulator): Promise<void> {
  const lasting = ['import-long', 'shop'];
  for (let round = 0; round < 120; round++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const pods = world.store
      .list<Pod>('pods')
      .filter(({ metadata }) => !lasting.some((name) => metadata.name.startsWith(name)));
    if (pods.length >= members.length - lasting.length && pods.every(hasEndedForAWhile)) return;
  }
  throw new Error('the demo cluster did not come up within a minute');
}

function hasEndedForAWhile({ status }: Pod): boolean {
  const statuses = status.containerStatuses ?? [];
  if (statuses.every(({ state }) => state.terminated) && status.phase === 'Running') return false;
  const main = statuses.find(({ name }) => name === 'main');
  const ended = main?.state.terminated ?? main?.lastState.terminated;
  return ended !== undefined && Date.now() - Date.parse(ended.finishedAt) > 2_000;
}

async function keepUntilInterrupted(): Promise<void> {
  process.stderr.write(
    `\nThe cluster stays up: KUBECONFIG=${kubeconfig} kubectl get pods -A; Ctrl-C ends it.\n`,
  );
  await new Promise<void>((resolve) => {
    // A signal handler alone does not keep the process alive.
    const alive = setInterval(() => undefined, 60_000);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        clearInterval(alive);
        resolve();
      });
    }
  });
}
