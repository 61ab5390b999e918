import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PageCluster } from './page-cluster.ts';
import { normalise } from './readme.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const fence = /^```console\n(\$ sidecar-sweeper[\s\S]*?)^```$/gm;

/** The pages of `docs`. */
export const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);

/** The blocks of a page that begin with `$ sidecar-sweeper`: commands, each with its output. */
export async function blocksOf(page: string): Promise<readonly string[]> {
  const text = await readFile(docs + page, 'utf8');
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
      let text = await readFile(docs + page, 'utf8');
      for (const block of await blocksOf(page)) {
        const again = await runAgain(block, cluster);
        // What differs only between runs stays, or every run would change every page.
        if (normalise(again) !== normalise(block)) text = text.replace(block, () => again);
      }
      await writeFile(docs + page, text);
    }
  } finally {
    await cluster.stop();
  }
}
