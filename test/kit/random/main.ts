// `npm run test:properties`: random clusters and model-based properties, each on a core of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const parts = ['clusters.ts', 'model/main.ts'];
const codes = await Promise.all(parts.map(play));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

async function play(part: string): Promise<number | null> {
  const file = fileURLToPath(new URL(part, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code;
}
