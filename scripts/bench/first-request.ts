import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compete } from './contest.ts';
import { type Part, toPart } from './part.ts';
import { sweeper } from './scan.ts';

/** How long it takes until a scan has had its first answer: a refusal, after which it has nothing to do. */
export async function benchFirstRequest(rounds: number): Promise<Part> {
  const server = createServer((_request, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-bench-'));
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(server.address() as AddressInfo));
    const args = [sweeper, 'scan', '--kubeconfig', kubeconfig, '-o', 'json'];
    const results = await compete({
      rounds,
      contestants: [
        {
          name: 'sidecar-sweeper scan, refused',
          command: { program: process.execPath, args, exitCodes: [3] },
        },
        { name: 'node -e 0', command: { program: process.execPath, args: ['-e', '0'] } },
      ],
    });
    return toPart(results, { 'node -e 0': 'vsBareNode' });
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
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
