import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A program that serves HTTP during a test. */
export interface Daemon {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a program and waits until it is ready. */
export async function startDaemon(
  program: string,
  args: (address: string) => readonly string[],
): Promise<Daemon> {
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const child = spawn(program, [...args(address)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  for (let tries = 0; !(await isReady(url)); tries++) {
    if (child.exitCode !== null || tries > 1_200) throw new Error(`${program} did not start: ${said}`);
    await delay(50);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
