import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { linesOf } from '../../src/cli/commands/report.ts';
import { type ReadReports, readReports } from '../../src/report/records/read.ts';

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Leaves out --yes, without which a sweep is refused where there is no terminal. */
  readonly withoutYes?: true;
  /** Called once the process is running, for example to send it a signal. */
  readonly onStart?: (child: ChildProcess) => void;
}

export const bundle = fileURLToPath(new URL('../../dist/sidecar-sweeper.mjs', import.meta.url));

/** In tests, arguments without a command are those of a sweep, and look in all namespaces if they name none. */
export function withCommand(argv: readonly string[]): readonly string[] {
  const [first = '-'] = argv;
  const isWhole = !first.startsWith('-') || first === '--help' || first === '--version';
  return everywhere(isWhole ? argv : ['sweep', ...argv]);
}

/** The command line, with -A if neither it nor its policy says where to look. */
export function everywhere(argv: readonly string[]): readonly string[] {
  const [command = ''] = argv;
  const has = (flags: RegExp) => argv.some((word) => flags.test(word));
  const looks = ['sweep', 'scan', 'advise', 'check-access'].includes(command) || has(/^(?:-l|--selector)$/);
  const saysWhere = has(/^(?:-n|-A|--namespace\b|--all-namespaces|--help)/) || isScoped.test(policyOf(argv));
  return looks && !saysWhere ? [...argv, '-A'] : argv;
}

const isScoped = /\bnamespaces\b|\bnamespaceSelector\b/;

function policyOf(argv: readonly string[]): string {
  const file = argv.includes('--policy') ? (argv[argv.indexOf('--policy') + 1] ?? '') : '';
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
}

/** A sweep gets --yes, because it cannot ask without a terminal; other commands do not have it. */
export function unasked(argv: readonly string[]): readonly string[] {
  const [command = '', ...others] = withCommand(argv);
  return command === 'sweep' ? [command, '--yes', ...others] : [command, ...others];
}

/** Runs the built command as a child process, with pipes instead of a terminal. */
export function runCli(
  argv: readonly string[],
  { env, withoutYes, onStart }: CliOptions = {},
): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle, ...(withoutYes ? withCommand(argv) : unasked(argv))], {
      env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
    onStart?.(child);
  });
}

/** The objects of an output with one of them in each line. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of them
export function jsonLines(output: string): readonly any[] {
  const text = output.trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
}

const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-policies-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
let written = 0;

export function policyFlag(fields: object): readonly ['--policy', string] {
  const file = join(folder, `policy-${written++}.json`);
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', ...fields }),
  );
  return ['--policy', file];
}

export function reportsIn(log: string): Promise<ReadReports> {
  return readReports([{ name: 'a.log', lines: linesOf(Readable.from([log])) }]);
}
