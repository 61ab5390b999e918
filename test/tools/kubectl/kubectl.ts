import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Emulator, type KubeconfigUser, sharedPidNamespaceAvailable } from '../../kit/emulator/index.ts';

/** Looked up in $PATH, as in a user's shell. */
const binary = 'kubectl';

/** Why this machine cannot test stock kubectl; undefined if it can. */
export const cannotTry: string | undefined = whyNot();

function whyNot(): string | undefined {
  if (spawnSync(binary, ['version', '--client']).error) return 'kubectl is missing';
  return sharedPidNamespaceAvailable();
}

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Stock kubectl with a kubeconfig file for an emulator. */
export class Kubectl {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-kubectl-'));
  readonly #kubeconfig = join(this.#folder, 'config');

  constructor(emulator: Emulator, user?: KubeconfigUser) {
    writeFileSync(this.#kubeconfig, emulator.kubeconfig(user, { namespace: 'demo' }));
  }

  run(args: readonly string[], { input = '', env = {} }: RunOptions = {}): Promise<Run> {
    return new Promise((resolve) => {
      const child = execFile(binary, [...args], { env: this.#env(env) }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
      child.stdin?.end(input);
    });
  }

  /** Runs it and returns the output; throws if it fails. */
  async output(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${code}\n${stderr}`);
    return stdout;
  }

  /** Starts a command that keeps running, for example a watch; it ends with the test. */
  start(args: readonly string[], { env = {} }: RunOptions = {}): Started {
    return new Started(spawn(binary, [...args], { env: this.#env(env) }));
  }

  cleanUp(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #env(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.#folder, KUBECONFIG: this.#kubeconfig, ...more };
  }
}

/** A running kubectl. */
export class Started {
  output = '';
  readonly #ended: Promise<void>;

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    this.#ended = new Promise((resolve) => child.once('close', () => resolve()));
  }

  /** Waits until its output matches. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.output)) {
      const more = new Promise((resolve) => this.child.stdout?.once('data', resolve));
      const ended = this.#ended.then(() => {
        if (!pattern.test(this.output)) throw new Error(`kubectl ended without ${pattern}:\n${this.output}`);
      });
      await Promise.race([more, ended]);
    }
  }

  ended(): Promise<void> {
    return this.#ended;
  }

  async stop(): Promise<void> {
    this.child.kill();
    await this.#ended;
  }
}
