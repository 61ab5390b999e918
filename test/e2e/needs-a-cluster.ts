import { loadConfig } from '../../src/kube/auth/config.ts';
import { openCluster } from '../../src/kube/cluster.ts';

/** Fails early with a clear message if there is no cluster. */
export default async function needsACluster(): Promise<void> {
  const problem = await whyNoCluster();
  if (problem === undefined) return;
  process.stderr.write(`test:e2e needs a cluster: ${problem}\n`);
  process.exit(1);
}

async function whyNoCluster(): Promise<string | undefined> {
  try {
    const config = await loadConfig({
      kubeconfig: undefined,
      context: process.env['E2E_CONTEXT'],
      env: process.env,
    });
    const cluster = await openCluster(config, 10_000);
    const scope = { namespaces: ['default'], labelSelector: undefined };
    for await (const part of cluster.listPods(scope, new AbortController().signal)) {
      if (part.kind === 'Failed') return part.problem.message;
    }
    await cluster.close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
