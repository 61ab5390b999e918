import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { findCgroups } from '../emulator/world/runtime/processes/cgroups.ts';

/** How a process ended. */
interface End {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A process of a PID namespace, by its id outside of it. */
export interface Process {
  readonly pid: number;
  readonly ended: Promise<End>;
  isAlive(): boolean;
}

const unshared = 'unshare --pid --fork --mount-proc';

/** Why no PID namespace can be made here; undefined when one can. */
export function noPidNamespaces(): string | undefined {
  const { status, stderr } = spawnSync('sh', ['-c', `exec ${unshared} true`], { encoding: 'utf8' });
  return status === 0 ? undefined : `needs unshare --pid (${stderr?.trim() || 'not found'})`;
}

/** Why processes of one PID namespace cannot be told apart here; undefined when they can. */
export function noCgroups(): string | undefined {
  return noPidNamespaces() ?? (findCgroups() ? undefined : 'needs a cgroup hierarchy that may be written');
}

/** A PID namespace of its own, as a container has it. */
export class PidNamespace {
  readonly #children: ChildProcess[] = [];
  readonly #cgroups: string[] = [];

  private constructor(
    readonly first: Process,
    unshare: ChildProcess,
  ) {
    this.#children.push(unshare);
  }

  /** Makes one whose PID 1 is this program, and waits until it says `ready`, or at least runs. */
  static async start(argv: readonly string[], { saysReady = false } = {}): Promise<PidNamespace> {
    const unshare = spawn('sh', ['-c', `exec ${unshared} --kill-child "$@"`, 'sh', ...argv], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (saysReady) await saidReady(unshare);
    const pid = await until(() => childrenOf(unshare.pid ?? 0)[0]);
    // Until then it is unshare's own copy, about to become the program.
    await until(() => (commandOf(pid).startsWith('unshare') ? undefined : true));
    return new PidNamespace(processOf(unshare, pid), unshare);
  }

  /** Starts a program in the namespace from outside, as an exec does; in this cgroup, if one is named. */
  async join(argv: readonly string[], cgroup?: string): Promise<Process> {
    const nsenter = ['nsenter', '--target', `${this.first.pid}`, '--pid', '--mount', '--', ...argv];
    const child = spawn('sh', ['-c', enterCgroup(cgroup), 'sh', ...nsenter], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.push(child);
    await saidReady(child);
    return processOf(child, await until(() => childrenOf(child.pid ?? 0)[0]));
  }

  /** Runs a program to its end in the namespace, with an empty PATH. */
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
        // With a socket as its input, which is what Node makes, bash would take itself for remote and read ~/.bashrc.
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
      },
    );
    return { output: stdout.trim(), errors: stderr.trim(), exitCode: status, signal };
  }

  /** A cgroup as each container of a pod has one of its own. */
  cgroup(name: string): string {
    const cgroup = findCgroups()?.create(`signal-script-${process.pid}-${name}`);
    if (cgroup === undefined) throw new Error(noCgroups());
    this.#cgroups.push(cgroup);
    return cgroup;
  }

  /** Ends all that is in it. */
  async stop(): Promise<void> {
    if (this.first.isAlive()) process.kill(this.first.pid, 'SIGKILL');
    for (const child of this.#children) await endOf(child);
    for (const cgroup of this.#cgroups) {
      await until(() => (readFileSync(`${cgroup}/cgroup.procs`, 'utf8') === '' ? true : undefined));
      rmdirSync(cgroup);
    }
  }
}

/** Where a program is, whatever the PATH of who runs it. */
export function absolute(program: string): string {
  return execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).trim();
}

/** Waits until something is there that real processes bring about. */
export async function until<T>(find: () => T | undefined): Promise<T> {
  const end = performance.now() + 10_000;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`waited in vain for ${find}`);
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

/** The words of a process, each ended by a NUL. */
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

/** Whether a process runs; what is left of a zombie does not. */
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
