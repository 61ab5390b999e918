// The emulator in a process of its own, so that what is measured is only the client's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Access, EmulatedCluster, type Outcome } from './emulated-cluster.ts';
import type { Filling } from './pods.ts';

export interface Server {
  /** Puts a new cluster with these pods in the place of the last one. */
  fill(filling: Filling): Promise<Access>;
  /** The CPU time of the server since it was asked last, in milliseconds. */
  cpuMs(): Promise<number>;
  /** What has become of the pods that were stuck. */
  outcome(): Promise<Outcome>;
  stop(): Promise<void>;
}

type Question =
  | { readonly kind: 'Fill'; readonly filling: Filling }
  | { readonly kind: 'Cpu' }
  | { readonly kind: 'Outcome' };

export async function startServer(): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.url), {
    execArgv: [...process.execArgv, '--max-old-space-size=12000'],
  });
  const ask = async <T>(question: Question) => {
    const answered = once(child, 'message');
    child.send(question);
    return (await answered)[0] as T;
  };
  return {
    fill: (filling) => ask({ kind: 'Fill', filling }),
    cpuMs: () => ask({ kind: 'Cpu' }),
    outcome: () => ask({ kind: 'Outcome' }),
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

function serve(): void {
  let cluster: EmulatedCluster | undefined;
  let before = process.cpuUsage();
  process.once('disconnect', () => process.exit());
  process.on('message', async (question: Question) => {
    switch (question.kind) {
      case 'Fill':
        await cluster?.stop();
        cluster = await EmulatedCluster.start(question.filling);
        process.send?.(cluster.access);
        break;
      case 'Cpu': {
        const { user, system } = process.cpuUsage(before);
        before = process.cpuUsage();
        process.send?.((user + system) / 1000);
        break;
      }
      case 'Outcome':
        process.send?.(cluster?.outcome());
        break;
    }
  });
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) serve();
