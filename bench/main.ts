// `npm run bench`: every figure is a ratio of what was measured side by side in one run. See docs/performance.md.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import type { Part, Where } from './part.ts';
import type { Filling } from './pods.ts';
import { benchScan } from './scan.ts';
import { startServer } from './server.ts';
import { benchStart } from './start.ts';

interface Flags {
  readonly only?: string;
  readonly json?: boolean;
  readonly rounds: number;
}

const sizes = { '1k': 1_000, '10k': 10_000, '30k': 30_000, '150k': 150_000 } as const;
type Size = keyof typeof sizes;

const parts: Readonly<Record<string, (flags: Flags) => Promise<Part>>> = {
  'start-version': ({ rounds }) => benchStart(4 * rounds, ['--version']),
  'start-help': ({ rounds }) => benchStart(4 * rounds, ['--help']),
  'scan-1k': (flags) => scan('1k', flags),
  'scan-10k': (flags) => scan('10k', flags),
  'scan-30k': (flags) => scan('30k', flags),
  'scan-150k': (flags) => scan('150k', flags),
};

const flags = new Command('npm run bench --')
  .addOption(new Option('--only <part>', 'run one part').choices(Object.keys(parts)))
  .option('--rounds <number>', 'how often each command is run', Number, 5)
  .option('--json', 'print one JSON object on stdout, with a key for each part')
  .parse()
  .opts<Flags>();
const measured: Record<string, Part> = {};
for (const [name, run] of Object.entries(parts)) {
  if (flags.only !== undefined && flags.only !== name) continue;
  process.stderr.write(`${name}\n`);
  measured[name] = await run(flags);
}
if (flags.json) console.log(JSON.stringify(measured, undefined, 2));
else for (const [name, part] of Object.entries(measured)) printTable(name, part);

/** At 150,000 pods, all of them are listed; else a tenth is, and of those a tenth is stuck. */
async function scan(size: Size, { rounds }: Flags): Promise<Part> {
  const pods = sizes[size];
  const running = size === '150k' ? pods : pods / 10;
  const filling: Filling = {
    prefix: 'bench',
    namespaces: 20,
    pods,
    running,
    stuck: pods / 100,
    sidecar: 'clean',
  };
  return withServer(filling, (where) =>
    benchScan(where, { rounds, hasKubectl: hasKubectl() && size !== '150k', all: size !== '150k' }),
  );
}

async function withServer<T>(filling: Filling, use: (where: Where) => Promise<T>): Promise<T> {
  const server = await startServer();
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-bench-'));
  try {
    await server.fill(filling);
    const kubeconfigFile = join(folder, 'kubeconfig');
    await writeFile(kubeconfigFile, server.access.kubeconfig);
    return await use({ access: server.access, kubeconfigFile });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

function hasKubectl(): boolean {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function printTable(name: string, { rows, ratios, spread }: Part): void {
  console.log(`\n${name}`);
  for (const { name: way, wallMs, cpuMs, peakMiB } of rows) {
    console.log(
      `  ${way.padEnd(40)} ${(wallMs / 1000).toFixed(2)} s, ${(cpuMs / 1000).toFixed(2)} s CPU, ${peakMiB.toFixed(0)} MiB`,
    );
  }
  for (const [peer, value] of Object.entries(ratios)) {
    const [least, most] = spread[peer] ?? [];
    console.log(`  ${peer}: ${value} (${least} to ${most})`);
  }
}
