import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a command took. */
export interface Cost extends Used {
  readonly wallMs: number;
  readonly exitCode: number;
  /** What it printed, if the command says to keep it. */
  readonly stdout: string;
  /** CPU time of the server, divided by the time of the command; 1 is one core. NaN if it is unknown. */
  readonly serverShare: number;
}

interface Used {
  /** Of the process and of the children that it has waited for. */
  readonly cpuMs: number;
  /** Of the process alone. */
  readonly peakMiB: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The codes with which it may exit; 0 if there are none. */
  readonly exitCodes?: readonly number[];
  /** Whether what it prints is kept instead of thrown away. */
  readonly keep?: boolean;
}

const askEveryMs = 5;
const ticksPerSecond = 100;

export async function measure(command: Command): Promise<Cost> {
  const { program, args, env, exitCodes = [0], keep = false } = command;
  const began = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = keep ? text(child.stdout) : '';
  if (!keep) child.stdout.resume();
  let complaint = '';
  child.stderr.on('data', (data: Buffer) => {
    complaint = `${complaint}${data}`.slice(-2_000);
  });
  const closed = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    // As a shell reports it.
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  const used = await watch(child, closed);
  const exitCode = await closed;
  const wallMs = performance.now() - began;
  if (!exitCodes.includes(exitCode)) {
    throw new Error(`${program} ${args.join(' ')} exited with ${exitCode}: ${complaint}`);
  }
  return { ...used, wallMs, exitCode, stdout: await printed, serverShare: Number.NaN };
}

/** Linux tells what a process has used only as long as it is there, so it is asked often. */
async function watch(child: ChildProcess, closed: Promise<unknown>): Promise<Used> {
  let used: Used = { cpuMs: 0, peakMiB: 0 };
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void closed.then(end, end);
  while (!isOver) {
    used = usedBy(child.pid) ?? used;
    await sleep(askEveryMs);
  }
  return used;
}

function usedBy(pid: number | undefined): Used | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    // After the name in brackets, the 12th to 15th field are user and system time, its own and its children's.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return peak === undefined
      ? undefined
      : { cpuMs: (ticks / ticksPerSecond) * 1000, peakMiB: Number(peak) / 1024 };
  } catch {
    return undefined;
  }
}
