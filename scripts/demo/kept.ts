import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** `npm run demo -- -o json --keep`: the demo after its sweep, while its cluster is still up. */
export class KeptDemo {
  /** Everything it has printed to stdout. */
  readonly stdout: string;
  readonly kubeconfig: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, stdout: string, kubeconfig: string) {
    this.#child = child;
    this.stdout = stdout;
    this.kubeconfig = kubeconfig;
  }

  /** Runs it as `npm run demo` does after the build. */
  static async start(): Promise<KeptDemo> {
    const demo = fileURLToPath(new URL('main.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', demo, '-o', 'json', '--keep']);
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    let stderr = '';
    const kubeconfig = await new Promise<string>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
        const [, path] = /KUBECONFIG=(\S+)/.exec(stderr) ?? [];
        if (path !== undefined) resolve(path);
      });
      child.on('error', reject);
      child.on('close', () => reject(new Error(`the demo ended early: ${stderr}`)));
    });
    return new KeptDemo(child, stdout, kubeconfig);
  }

  /** Sends SIGINT, like Ctrl-C. */
  async stop(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGINT');
    await closed;
  }
}
