import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bounds } from '../../src/model/bounds.ts';
import { runHere } from '../kit/run-here.ts';
import { RawServer, wire } from './raw-server.ts';
import { tally } from './tally.ts';

/** A kubeconfig for this server, without a user. */
function kubeconfigFor(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    clusters: [{ name: 'a', cluster: { server } }],
    contexts: [{ name: 'a', context: { cluster: 'a' } }],
  });
}

it.each([
  ['the same token', 1],
  ['ever new tokens', Number.POSITIVE_INFINITY],
])(
  'A17: namespaces that a shell completes end, though the server goes on with %s',
  async (_title, tokens) => {
    let index = 0;
    const server = await RawServer.start((socket) => {
      const metadata = { continue: `token-${index % tokens}` };
      const items = [{ metadata: { name: `ns-${index++}` } }];
      socket.write(wire(JSON.stringify({ kind: 'NamespaceList', apiVersion: 'v1', metadata, items })));
    });
    const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-completion-'));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigFor(server.url));
    const env = { KUBECONFIG: kubeconfig, SIDECAR_SWEEPER_COMPLETION_TIMEOUT: '1m' };
    const run = await runHere(['__complete', 'scan', '-n', ''], env);
    await server.stop();
    rmSync(folder, { recursive: true });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/^ns-0\nns-1\n/);
    expect(server.requests.length).toBeLessThanOrEqual(bounds.pages);
    tally('faults', 'A17', 1);
  },
);
