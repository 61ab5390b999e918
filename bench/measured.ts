import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a command took. Linux tells what a process has used only as long as it is there, so it is asked often. */
export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The codes with which it may exit; 0 if there are none. */
  readonly exitCodes?: readonly number[];
}

const askEveryMs = 5;
const ticksPerSecond = 100;

/** Runs a command, whose stdout is read and thrown away. */
export async function measure({ program, args, env, exitCodes = [0] }: Command): Promise<Cost> {
  const began = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  let complaint = '';
  child.stderr.on('data', (data: Buffer) => {
    complaint = `${complaint}${data}`.slice(-2_000);
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const used = await watch(child, closed);
  const code = await closed;
  const wallMs = performance.now() - began;
  if (code === null || !exitCodes.includes(code)) {
    throw new Error(`${program} ${args.join(' ')} exited with ${code}: ${complaint}`);
  }
  return { wallMs, ...used };
}

async function watch(child: ChildProcess, closed: Promise<unknown>): Promise<Omit<Cost, 'wallMs'>> {
  let used = { cpuMs: 0, peakMiB: 0 };
  let isOver = false;
  void closed.then(
    () => {
      isOver = true;
    },
    () => {
      isOver = true;
    },
  );
  while (!isOver) {
    used = usedBy(child.pid) ?? used;
    await sleep(askEveryMs);
  }
  return used;
}

function usedBy(pid: number | undefined): Omit<Cost, 'wallMs'> | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    // After the name in brackets, user and system time are the 12th and 13th field.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return peak === undefined
      ? undefined
      : { cpuMs: (ticks / ticksPerSecond) * 1000, peakMiB: Number(peak) / 1024 };
  } catch {
    return undefined;
  }
}
