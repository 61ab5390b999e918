import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compete } from './contest.ts';
import { type Part, toPart } from './part.ts';
import { sweeper } from './scan.ts';

/** How long it takes until the program is there. */
export function benchStart(rounds: number, argv: readonly string[]): Promise<Part> {
  return besideBareNode(rounds, `sidecar-sweeper ${argv.join(' ')}`, argv, [0]);
}

/** How long it takes until a scan has had its first answer: a refusal, after which it has nothing to do. */
export async function benchFirstRequest(rounds: number): Promise<Part> {
  const server = createServer((_request, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-bench-'));
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(server.address() as AddressInfo));
    const argv = ['scan', '--kubeconfig', kubeconfig, '-o', 'json'];
    return await besideBareNode(rounds, 'sidecar-sweeper scan, refused', argv, [3]);
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
}

async function besideBareNode(
  rounds: number,
  name: string,
  argv: readonly string[],
  exitCodes: readonly number[],
): Promise<Part> {
  const program = process.execPath;
  const results = await compete({
    rounds,
    contestants: [
      { name, command: { program, args: [sweeper, ...argv], exitCodes } },
      { name: 'node -e 0', command: { program, args: ['-e', '0'] } },
    ],
  });
  return toPart(results, { 'node -e 0': 'vsBareNode' });
}

/** JSON is YAML. */
function kubeconfigOf({ port }: AddressInfo): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'bench', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'bench', user: {} }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
    'current-context': 'bench',
  });
}
