import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { bundle, everywhere } from '../kit/cli.ts';

export interface WatchedRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly peakMiB: number;
  /** The most sockets that were open at once, at the times at which it was counted. */
  readonly mostSockets: number;
}

const lookEveryMs = 20;

export async function watchRun(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<WatchedRun> {
  const child = spawn(process.execPath, [bundle, ...everywhere(argv)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let [peakMiB, mostSockets] = [0, 0];
  const looking = setInterval(() => {
    peakMiB = Math.max(peakMiB, peakOf(child.pid));
    mostSockets = Math.max(mostSockets, socketsOf(child.pid));
  }, lookEveryMs);
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [exitCode, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  clearInterval(looking);
  return { exitCode, stdout, stderr, peakMiB, mostSockets };
}

/** Linux's own record of the most memory that a process had; 0 once it has ended. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

function socketsOf(pid: number | undefined): number {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).filter((fd) => isSocket(`${folder}/${fd}`)).length;
  } catch {
    return 0;
  }
}

function isSocket(link: string): boolean {
  try {
    return readlinkSync(link).startsWith('socket:');
  } catch {
    return false;
  }
}
