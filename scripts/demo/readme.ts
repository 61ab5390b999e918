import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = fileURLToPath(new URL('../../README.md', import.meta.url));
/** The commands whose output README.md shows, each with a script in this folder and its arguments. */
export const shownCommands: Readonly<Record<string, readonly [script: string, ...argv: readonly string[]]>> =
  {
    'npm run demo': ['main.ts'],
    'npm run demo -- --why': ['main.ts', '--why'],
    'npm run demo:cron-job': ['cron-job.ts'],
  };

function shown(command: string): RegExp {
  return new RegExp(
    `(<!-- output of: ${command} -->\\n\`\`\`text\\n)([\\s\\S]*?)(\`\`\`\\n<!-- end of output -->)`,
  );
}

/** The output of a command as shown in README.md. */
export async function outputInReadme(command: string): Promise<string> {
  const match = shown(command).exec(await readFile(file, 'utf8'));
  if (!match) throw new Error(`README.md does not show the output of ${command}`);
  return match[2] ?? '';
}

/** Updates README.md with the current output of its commands. */
export async function writeReadme(): Promise<void> {
  for (const [command, [script, ...argv]] of Object.entries(shownCommands)) {
    const output = await runDemo(script, argv);
    const text = await readFile(file, 'utf8');
    const updated = text.replace(
      shown(command),
      (_all, before: string, _old, after: string) => before + output + after,
    );
    await writeFile(file, updated);
  }
}

/** Runs a demo as `npm run` does after the build. */
export function runDemo(script: string, argv: readonly string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const demo = fileURLToPath(new URL(script, import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', demo, ...argv], { cwd: root });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`the demo failed: ${errors}`)),
    );
  });
}

/** Replaces what differs between runs: generated names, times and how the crashing pod is found: running or about to restart. */
export function normalise(output: string): string {
  return (
    output
      .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '-xxxxx')
      .replace(/\b(\d+h)?(\d+m)?\d+(\.\d+)?s\b|\b\d+h(\d+m)?\b/g, 'Ns')
      .replace(/^(imports +import-flaky-xxxxx).*$/gm, '$1 …')
      .replace(/^(\d+ pods left alone:) .* \(/gm, '$1 … (')
      // Which of several pods has been stuck longest.
      .replace(/[\w-]+\/[\w-]+(?:, [\w-]+\/[\w-]+)+/g, (pods) => pods.split(', ').sort().join(', '))
      .replace(/ +/g, ' ')
  );
}
