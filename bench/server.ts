// An emulator in a process of its own, so that what is measured is only the client's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ensureNamespace, startEmulator } from '../test/emulator/index.ts';
import { type Filling, podsOf } from './pods.ts';

/** How to reach a cluster. */
export interface Access {
  readonly kubeconfig: string;
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

export interface Server {
  readonly access: Access;
  fill(filling: Filling): Promise<void>;
  /** The CPU time of the server since it was asked last, in milliseconds. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

type Question = { readonly kind: 'Fill'; readonly filling: Filling } | { readonly kind: 'Cpu' };

export async function startServer(): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.url), {
    execArgv: [...process.execArgv, '--max-old-space-size=12000'],
  });
  const answer = async <T>() => (await once(child, 'message'))[0] as T;
  const ask = async <T>(question: Question) => {
    const answered = answer<T>();
    child.send(question);
    return answered;
  };
  return {
    access: await answer<Access>(),
    fill: (filling) => ask({ kind: 'Fill', filling }),
    cpuMs: () => ask({ kind: 'Cpu' }),
    async stop() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

async function serve(): Promise<void> {
  const emulator = await startEmulator({ runtime: 'light' });
  let before = process.cpuUsage();
  process.on('message', (question: Question) => {
    switch (question.kind) {
      case 'Fill': {
        const { filling } = question;
        for (let index = 0; index < filling.namespaces; index++) {
          ensureNamespace(emulator.world, `${filling.prefix}-${index}`);
        }
        emulator.world.placePods(podsOf(filling, Date.now()));
        process.send?.({});
        break;
      }
      case 'Cpu': {
        const { user, system } = process.cpuUsage(before);
        before = process.cpuUsage();
        process.send?.((user + system) / 1000);
        break;
      }
    }
  });
  const access: Access = {
    kubeconfig: emulator.kubeconfig(),
    server: emulator.url,
    ca: emulator.ca,
    token: emulator.token,
  };
  process.send?.(access);
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) await serve();
