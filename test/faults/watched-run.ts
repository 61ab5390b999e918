import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type CliRun, runCli } from '../kit/cli.ts';

export interface WatchedRun extends CliRun {
  readonly peakMiB: number;
  /** The most sockets that were open at once, at the times at which it was counted. */
  readonly mostSockets: number;
}

const lookEveryMs = 20;

export async function watchRun(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<WatchedRun> {
  let [peakMiB, mostSockets] = [0, 0];
  let looking: NodeJS.Timeout | undefined;
  const onStart = ({ pid }: ChildProcess) => {
    looking = setInterval(() => {
      peakMiB = Math.max(peakMiB, peakOf(pid));
      mostSockets = Math.max(mostSockets, socketsOf(pid));
    }, lookEveryMs);
  };
  const run = await runCli(argv, { env, withoutYes: true, onStart });
  clearInterval(looking);
  return { ...run, peakMiB, mostSockets };
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
