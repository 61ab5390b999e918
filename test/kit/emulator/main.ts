import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillCluster, memberBehaviours, members } from './cluster.ts';
import { startEmulator } from './emulator.ts';
import { knownImages } from './programs.ts';
import { sharedPidNamespaceAvailable } from './world/runtime/processes/machine.ts';

// `npm run emulator`: an example cluster that runs until Ctrl-C.
const why = sharedPidNamespaceAvailable();
const emulator = await startEmulator(
  why ? { runtime: 'light', behaviours: memberBehaviours } : { runtime: 'processes', images: knownImages },
);
fillCluster(emulator);

const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-emulator-'));
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, emulator.kubeconfig(), { mode: 0o600 });

console.log(`Emulating a Kubernetes 1.36 cluster at ${emulator.url}`);
console.log(
  why
    ? `Its containers only keep state: this machine cannot run real processes (${why}).\n`
    : 'Its containers are real processes.\n',
);
for (const { namespace, name, about } of members) console.log(`  ${namespace}/${name}`.padEnd(30), about);
console.log(`
Use it from another terminal:

  export KUBECONFIG=${kubeconfig}
  kubectl get pods -A
  npm run build && node dist/sidecar-sweeper.mjs scan -A --min-age 1s

Ctrl-C stops it and removes the kubeconfig.`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second Ctrl-C exits without waiting for the containers.
    if (stopping) process.exit(1);
    stopping = true;
    rmSync(folder, { recursive: true, force: true });
    void emulator.stop().then(() => process.exit(0));
  });
}
