// `npm run demo`: runs the built command against an emulated cluster of stuck pods, once with signals and quit endpoints and once with
// image swaps, and writes the report of both as a page (reports/demo.html). `-o json` prints only the report of the first sweep. `--why`
// shows what is stuck and why, without a sweep.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { sweepFormats } from '../../src/cli/flags.ts';
import { exitCodeMeanings, exitCodes } from '../../src/report/exit-code.ts';
import { bundle, runCli, unasked } from '../../test/kit/cli.ts';
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
import { getPods } from './get-pods.ts';

const { output, why: isToExplain } = new Command('npm run demo --')
  .addOption(
    new Option('-o, --output <format>', 'print in this format').choices(sweepFormats).default('table'),
  )
  .option('--why', 'show what is stuck and why, without a sweep')
  .parse()
  .opts();
const say = (text: string) => (output === 'json' ? undefined : console.log(text));

const why = sharedPidNamespaceAvailable();
const emulator = await startEmulator(
  why === undefined
    ? { runtime: 'processes', images: knownImages }
    : { runtime: 'light', behaviours: memberBehaviours },
);
const noopImage = 'registry.example.com/sidecar-sweeper-noop:0.1.0';
const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-demo-'));
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, emulator.kubeconfig(), { mode: 0o600 });

// A reader that has seen enough, like `head`, does not stop it.
process.stdout.on('error', () => undefined);
const removeFolder = () => rmSync(folder, { recursive: true, force: true });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Its containers end with this process.
  process.once(signal, () => {
    removeFolder();
    process.exit(130);
  });
}
try {
  fillCluster(emulator);
  const containers = why === undefined ? 'real processes' : `simulated (${why})`;
  say(`Starting ${members.length} workloads in an emulated cluster. Their containers are ${containers}.\n`);
  await mainsHaveEnded(emulator);
  await (isToExplain ? showWhy() : showSweep());
} finally {
  await emulator.stop();
  removeFolder();
}

/** Shows the cluster before and after two sweeps; writes their reports as a page. */
async function showSweep(): Promise<void> {
  const sweep = ['sweep', '-A', '--min-age', '1s'];
  if (output === 'json') return show(sweep);
  await showPods();
  mkdirSync('reports', { recursive: true });
  const reports = ['reports/demo-1.json', 'reports/demo-2.json'] as const;
  await show([...sweep, '--report-file', reports[0]]);
  say(
    `What is blocked would run finished work again. With the image of a program that exits with 0, it ends as well:`,
  );
  await show([...sweep, '--noop-image', noopImage, '--report-file', reports[1]]);
  await showPods();
  const report = ['report', ...reports, '-o', 'html'];
  say(`\n$ sidecar-sweeper ${report.join(' ')} > reports/demo.html`);
  const page = await runCli(report);
  if (page.exitCode !== 0) throw new Error(page.stderr);
  writeFileSync('reports/demo.html', page.stdout);
  say('\nOpen reports/demo.html in a browser.');
  say('\nThis cluster is gone now. To try commands of your own on one that stays: npm run emulator');
}

async function showPods(): Promise<void> {
  say('$ kubectl get pods -A\n');
  say(await getPods(emulator));
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

/** Runs the built command on the terminal of the demo, which its tables fit, and shows its exit code. */
async function show(argv: readonly string[]): Promise<void> {
  const words = unasked(argv);
  say(`\n$ sidecar-sweeper ${words.join(' ')}\n`);
  const child = spawn(process.execPath, [bundle, ...words, '-o', output], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'inherit', process.stdout.isTTY ? 'inherit' : 'ignore'],
  });
  const [exitCode] = await once(child, 'exit');
  const [name] = Object.entries(exitCodes).find(([, code]) => code === exitCode) ?? [];
  say(`\nexit code ${exitCode}: ${name && exitCodeMeanings[name as keyof typeof exitCodes]}\n`);
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
