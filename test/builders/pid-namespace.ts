import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { findCgroups } from '../kit/emulator/index.ts';

interface End {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A process in a PID namespace, by its PID outside of it. */
export interface Process {
  readonly pid: number;
  readonly ended: Promise<End>;
  isAlive(): boolean;
}

const unshared = 'unshare --pid --fork --mount-proc';

/** Why this machine cannot create PID namespaces; undefined if it can. */
export function noPidNamespaces(): string | undefined {
  const { status, stderr } = spawnSync('sh', ['-c', `exec ${unshared} true`], { encoding: 'utf8' });
  return status === 0 ? undefined : `needs unshare --pid (${stderr?.trim() || 'not found'})`;
}

/** Why this machine cannot tell apart containers in a PID namespace; undefined if it can. */
export function noCgroups(): string | undefined {
  return noPidNamespaces() ?? (findCgroups() ? undefined : 'needs a writable cgroup hierarchy');
}

export class PidNamespace {
  readonly #children: ChildProcess[] = [];
  readonly #cgroups: string[] = [];

  private constructor(
    readonly first: Process,
    unshare: ChildProcess,
  ) {
    this.#children.push(unshare);
  }

  /** Creates one with this program as PID 1, and waits until it is running or has printed `ready`. */
  static async start(argv: readonly string[], { saysReady = false } = {}): Promise<PidNamespace> {
    const unshare = spawn('sh', ['-c', `exec ${unshared} --kill-child "$@"`, 'sh', ...argv], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (saysReady) await saidReady(unshare);
    const pid = await until(() => childrenOf(unshare.pid ?? 0)[0]);
    // Before its exec, the process is still a copy of unshare.
    await until(() => (commandOf(pid).startsWith('unshare') ? undefined : true));
    return new PidNamespace(processOf(unshare, pid), unshare);
  }

  /** Starts a program in the namespace from outside, like an exec, optionally in a cgroup. */
  async join(argv: readonly string[], cgroup?: string): Promise<Process> {
    const nsenter = ['nsenter', '--target', `${this.first.pid}`, '--pid', '--mount', '--', ...argv];
    const child = spawn('sh', ['-c', enterCgroup(cgroup), 'sh', ...nsenter], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.push(child);
    await saidReady(child);
    return processOf(child, await until(() => childrenOf(child.pid ?? 0)[0]));
  }

  /** Runs a program in the namespace until it ends, with an empty PATH. */
  run(argv: readonly string[], { cgroup, uid }: { readonly cgroup?: string; readonly uid?: number } = {}) {
    const nsenter = absolute('nsenter');
    const as = uid === undefined ? [] : ['--setuid', `${uid}`, '--setgid', `${uid}`];
    const words = [nsenter, '--target', `${this.first.pid}`, '--pid', '--mount', ...as, '--', ...argv];
    const { stdout, stderr, status, signal } = spawnSync(
      '/bin/sh',
      ['-c', enterCgroup(cgroup), 'sh', ...words],
      {
        env: { PATH: '' },
        cwd: '/proc',
        // Node uses sockets for stdio. If stdin is a socket, bash assumes a remote shell and reads ~/.bashrc.
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
      },
    );
    return { output: stdout.trim(), errors: stderr.trim(), exitCode: status, signal };
  }

  cgroup(name: string): string {
    const cgroup = findCgroups()?.create(`signal-script-${process.pid}-${name}`);
    if (cgroup === undefined) throw new Error(noCgroups());
    this.#cgroups.push(cgroup);
    return cgroup;
  }

  async stop(): Promise<void> {
    if (this.first.isAlive()) process.kill(this.first.pid, 'SIGKILL');
    for (const child of this.#children) await endOf(child);
    for (const cgroup of this.#cgroups) {
      await until(() => (readFileSync(`${cgroup}/cgroup.procs`, 'utf8') === '' ? true : undefined));
      rmdirSync(cgroup);
    }
  }
}

export function absolute(program: string): string {
  return execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).trim();
}

/** Polls until real processes have produced a result. */
export async function until<T>(find: () => T | undefined): Promise<T> {
  const end = performance.now() + 60_000;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`timed out waiting for ${find}`);
    await setTimeout(5);
  }
}

export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function enterCgroup(cgroup: string | undefined): string {
  return cgroup === undefined ? 'exec "$@"' : `echo $$ > ${cgroup}/cgroup.procs; exec "$@"`;
}

export function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

async function saidReady(child: ChildProcess): Promise<void> {
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(() => (said.includes('ready') ? true : undefined));
}

function processOf(child: ChildProcess, pid: number): Process {
  return { pid, ended: endOf(child), isAlive: () => isAlive(pid) };
}

/** Whether a process is running; a zombie is not. */
export function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}`)) return false;
  return !/^State:\sZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

function endOf(child: ChildProcess): Promise<End> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) return Promise.resolve({ exitCode, signal: signalCode });
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve({ exitCode: code, signal }));
  });
}
