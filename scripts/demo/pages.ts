import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PageCluster } from './page-cluster.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const fence = /^```console\n(\$ sidecar-sweeper[\s\S]*?)^```$/gm;

/** The pages for users. */
export const pages = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The blocks of a page that begin with `$ sidecar-sweeper`: commands, each with its output. */
export async function blocksOf(page: string): Promise<readonly string[]> {
  const text = await readFile(root + page, 'utf8');
  return [...text.matchAll(fence)].map(([, block = '']) => block);
}

/** The same block with what its commands print now. `$ echo $?` shows how the command before it ended. */
export async function runAgain(block: string, cluster: PageCluster): Promise<string> {
  let exitCode: number | null = null;
  const shown: string[] = [];
  for (const [, line = ''] of block.matchAll(/^\$ (.*)$/gm)) {
    shown.push(`$ ${line}\n`);
    if (line === 'echo $?') {
      shown.push(`${exitCode}\n`);
      continue;
    }
    const [, ...argv] = line.split(/ +/);
    const run = await cluster.run(argv);
    exitCode = run.exitCode;
    // On a terminal, stderr has only what went wrong.
    shown.push(run.stdout === '' ? run.stderr : run.stdout);
  }
  return shown.join('');
}

/** Updates the pages with the current output of their commands. */
export async function writePages(): Promise<void> {
  const cluster = await PageCluster.start();
  try {
    for (const page of pages) {
      let text = await readFile(root + page, 'utf8');
      for (const block of await blocksOf(page)) {
        const again = await runAgain(block, cluster);
        // What differs only between runs stays, or every run would change every page.
        if (normalise(again) !== normalise(block)) text = text.replace(block, () => again);
      }
      await writeFile(root + page, text);
    }
  } finally {
    await cluster.stop();
  }
}

/** Replaces what differs between runs: generated names and times. */
export function normalise(output: string): string {
  return output
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-xxxxx')
    .replace(/\b(\d+h)?(\d+m)?\d+(\.\d+)?s\b|\b\d+h(\d+m)?\b/g, 'Ns')
    .replace(/ +/g, ' ');
}
