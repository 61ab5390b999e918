import { homedir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { clientOf } from '../kit/behaviours.ts';
import { foldersOf, type Manifest, render, runKubectl } from '../tools/manifests/render.ts';

// A server-side dry run needs an existing namespace, so all objects are moved to this one.
const namespace = `sidecar-sweeper-e2e-${Math.random().toString(36).slice(2, 7)}`;
const kubeconfig = process.env['KUBECONFIG'] ?? join(homedir(), '.kube', 'config');
const config = clientOf(kubeconfig, process.env['E2E_CONTEXT']);
const core = config.makeApiClient(CoreV1Api);

beforeAll(() => core.createNamespace({ body: { metadata: { name: namespace } } }));
afterAll(() => core.deleteNamespace({ name: namespace }));

// The server also compiles the expressions of admission policies.
it.each([...foldersOf('overlays'), 'policies'])('a real API server accepts %s', async (folder) => {
  const objects = (await render(folder)).map(inOurNamespace);
  const argv = ['apply', '--dry-run=server', '--kubeconfig', kubeconfig, '-f', '-'];
  const context = ['--context', config.getCurrentContext()];
  const told = await runKubectl(
    [...argv, ...context],
    objects.map((object) => stringify(object)).join('---\n'),
  );
  expect(told.trim().split('\n')).toHaveLength(objects.length);
  expect(told).not.toMatch(/^Warning/m);
});

function inOurNamespace(object: Manifest): Manifest {
  const { metadata } = object;
  return metadata.namespace === undefined ? object : { ...object, metadata: { ...metadata, namespace } };
}
