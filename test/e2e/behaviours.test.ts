import { homedir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api } from '@kubernetes/client-node';
import { afterAll } from 'vitest';
import { clientOf, describeBehaviours } from '../kit/behaviours.ts';

const namespace = `sidecar-sweeper-e2e-${Math.random().toString(36).slice(2, 7)}`;
const { E2E_SHELL_IMAGE: shell = 'docker.io/library/busybox:1.37', E2E_QUITS_IMAGE } = process.env;
// Accepts one connection, answers it, and exits.
const netcat = "printf 'HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n' | nc -l -s 127.0.0.1 -p 15020";
const images = {
  shell,
  // The pause image is in every cluster, has no shell and exits 0 on TERM.
  shellLess: process.env['E2E_SHELL_LESS_IMAGE'] ?? 'registry.k8s.io/pause:3.10',
  quits: E2E_QUITS_IMAGE ? { image: E2E_QUITS_IMAGE } : { image: shell, command: ['sh', '-c', netcat] },
  // Without a command and input, its shell exits at once.
  noop: process.env['E2E_NOOP_IMAGE'] ?? 'docker.io/library/busybox:1.37',
};
const kubeconfig = process.env['KUBECONFIG'] ?? join(homedir(), '.kube', 'config');
const config = clientOf(kubeconfig, process.env['E2E_CONTEXT']);
const core = config.makeApiClient(CoreV1Api);

describeBehaviours(namespace, async () => {
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  return { config, kubeconfig, images };
});
afterAll(async () => {
  await core.deleteNamespace({ name: namespace });
});
