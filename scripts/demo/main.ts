// `npm run demo`: runs the built command against an emulated cluster of stuck pods, and writes its report as a page
// (reports/demo.html). `-o json` prints only the report. `--keep` keeps the cluster up for kubectl. `--why` shows what is stuck and why, without a sweep.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sweepFormats } from '../../src/cli/flags.ts';
import { UsageError } from '../../src/util/usage-error.ts';
import { runCli } from '../../test/kit/cli.ts';
import {
  type Emulator,
  fillCluster,
  knownImages,
  memberBehaviours,
  members,
  type Pod,
  sharedPidNamespaceAvailable,
  startEmulator,
} from '../../test/kit/emulator/index.ts';
import { demonstrate, orEnd } from './demonstrate.ts';
import { getPods } from './get-pods.ts';

const { output, keep, why: isToExplain } = orEnd(readOptions);
const say = (text: string) => (output === 'json' ? undefined : console.log(text));

const why = sharedPidNamespaceAvailable();
const emulator = await startEmulator(
  why === undefined
    ? { runtime: 'processes', images: knownImages }
    : { runtime: 'light', behaviours: memberBehaviours },
);
const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-demo-'));
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, emulator.kubeconfig(), { mode: 0o600 });

await demonstrate(
  async (ctrlC) => {
    fillCluster(emulator);
    const containers = why === undefined ? 'real processes' : `simulated (${why})`;
    say(`Starting ${members.length} workloads in an emulated cluster. Their containers are ${containers}.\n`);
    await mainsHaveEnded(emulator);
    await (isToExplain ? showWhy() : showSweep());
    if (keep) await keepUntil(ctrlC);
  },
  async () => {
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  },
);

function readOptions() {
  const boolean = { type: 'boolean', default: false } as const;
  const output = { type: 'string', short: 'o', default: 'table' } as const;
  try {
    const { values } = parseArgs({ options: { output, keep: boolean, why: boolean } });
    if (sweepFormats.some((format) => format === values.output)) return values;
  } catch (error) {
    const [what = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw new UsageError(`${what}; it takes -o <format>, --why and --keep`);
  }
  throw new UsageError(`-o takes ${sweepFormats.join(', ')}`);
}

/** Shows the cluster before the sweep, the sweep, and the cluster after it; writes the report as a page. */
async function showSweep(): Promise<void> {
  say('$ kubectl get pods -A\n');
  say(await getPods(emulator));
  if (output === 'json') return show(['sweep', '-A', '--min-age', '1s']);
  mkdirSync('reports', { recursive: true });
  await show(['sweep', '-A', '--min-age', '1s', '--report-file', 'reports/demo.json']);
  say('$ kubectl get pods -A\n');
  say(await getPods(emulator));
  say('\n$ sidecar-sweeper report reports/demo.json -o html > reports/demo.html');
  const page = await runCli(['report', 'reports/demo.json', '-o', 'html']);
  if (page.exitCode !== 0) throw new Error(page.stderr);
  writeFileSync('reports/demo.html', page.stdout);
}

/** Shows what is stuck, and explains one pod that is stuck and one that is not. */
async function showWhy(): Promise<void> {
  await show(['scan', '-A', '--min-age', '1s']);
  for (const member of ['invoice-mail', 'import-long']) {
    const pod = emulator.world.store
      .list<Pod>('pods')
      .find(({ metadata }) => metadata.name.startsWith(member));
    if (pod) await show(['explain', `${pod.metadata.namespace}/${pod.metadata.name}`, '--min-age', '1s']);
  }
}

/** Runs the built command, and shows its output and exit code. */
async function show(argv: readonly string[]): Promise<void> {
  say(`\n$ sidecar-sweeper ${argv.join(' ')}\n`);
  const run = await runCli([...argv, '-o', output, '--kubeconfig', kubeconfig]);
  process.stdout.write(run.stdout);
  if (run.stdout === '') process.stderr.write(run.stderr);
  say(
    `\nexit code ${run.exitCode}${run.exitCode === 0 ? '' : ' (docs/reference/flags.md says what it means)'}\n`,
  );
}

/** Waits until all main containers that end have ended, long enough ago for the sweep. */
async function mainsHaveEnded({ world }: Emulator): Promise<void> {
  const lasting = ['import-long', 'shop'];
  for (let round = 0; round < 360; round++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const pods = world.store
      .list<Pod>('pods')
      .filter(({ metadata }) => !lasting.some((name) => metadata.name.startsWith(name)));
    if (pods.length >= members.length - lasting.length && pods.every(hasEndedForAWhile)) return;
  }
  throw new Error('the demo cluster did not come up within 3 minutes');
}

function hasEndedForAWhile({ status }: Pod): boolean {
  const statuses = status.containerStatuses ?? [];
  if (statuses.every(({ state }) => state.terminated) && status.phase === 'Running') return false;
  const main = statuses.find(({ name }) => name === 'main');
  const ended = main?.state.terminated ?? main?.lastState.terminated;
  return ended !== undefined && Date.now() - Date.parse(ended.finishedAt) > 2_000;
}

async function keepUntil(ctrlC: Promise<void>): Promise<void> {
  process.stderr.write(`\nThe cluster stays up until Ctrl-C: KUBECONFIG=${kubeconfig} kubectl get pods -A\n`);
  await ctrlC;
}
