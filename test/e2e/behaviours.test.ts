import { homedir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api } from '@kubernetes/client-node';
import { afterAll } from 'vitest';
import { describeBehaviours, describeScenarios } from '../kit/behaviours/describe.ts';
import { clientOf } from '../kit/behaviours/stage.ts';
import { sweepBehaviours } from '../kit/behaviours/sweep-behaviours.ts';

const namespace = `sidecar-sweeper-e2e-${Math.random().toString(36).slice(2, 7)}`;
const shell = process.env['E2E_SHELL_IMAGE'] ?? 'docker.io/library/busybox:1.37';
// Accepts one connection, answers it, and exits.
const netcat = {
  image: shell,
  command: [
    'sh',
    '-c',
    "printf 'HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n' | nc -l -s 127.0.0.1 -p 15020",
  ],
};
const images = {
  shell,
  // The pause image is in every cluster, has no shell and exits 0 on TERM.
  shellLess: process.env['E2E_SHELL_LESS_IMAGE'] ?? 'registry.k8s.io/pause:3.10',
  quits: process.env['E2E_QUITS_IMAGE'] === undefined ? netcat : { image: process.env['E2E_QUITS_IMAGE'] },
  // Without a command and input, its shell exits at once.
  noop: process.env['E2E_NOOP_IMAGE'] ?? 'docker.io/library/busybox:1.37',
};
const kubeconfig = process.env['KUBECONFIG'] ?? join(homedir(), '.kube', 'config');
const config = clientOf(kubeconfig, process.env['E2E_CONTEXT']);
const site = { config, kubeconfig, images };
const core = config.makeApiClient(CoreV1Api);

const where = `on ${config.getCurrentContext()}`;

afterAll(async () => {
  await core.deleteNamespace({ name: namespace });
});

describeBehaviours(where, async () => {
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  return sweepBehaviours(site, namespace);
});

describeScenarios(where, async () => site);
