import { fileURLToPath } from 'node:url';
import type { InCluster } from '../in-cluster.ts';
import type { Runtime } from '../runtime.ts';
import type { Store } from '../store.ts';
import { processesMode } from './processes/available.ts';
import { findCgroups } from './processes/cgroups.ts';
import { builtInImages, type Images } from './processes/images.ts';
import { createSandbox } from './processes/sandbox.ts';

/** Why this machine cannot run real processes; undefined if it can. */
export function processesAvailable(): string | undefined {
  const mode = processesMode();
  return mode.kind === 'none' ? mode.reason : undefined;
}

/** Why pods cannot share a PID namespace on this machine; undefined if they can. */
export function sharedPidNamespaceAvailable(): string | undefined {
  const reason = processesAvailable();
  if (reason) return reason;
  return findCgroups() ? undefined : 'needs a writable cgroup hierarchy';
}

/** Why pods cannot reach the API server on this machine; undefined if they can. */
export function inClusterApiAvailable(): string | undefined {
  const mode = processesMode();
  switch (mode.kind) {
    case 'root':
      return undefined;
    case 'rootless':
      return 'pods can reach the API server only if the emulator runs as root';
    case 'none':
      return mode.reason;
  }
}

/** Runs containers as real processes in their own namespaces, so that the kernel decides what signals do. */
export function processRuntime(store: Store, images: Images = {}, inCluster?: () => InCluster): Runtime {
  const mode = processesMode();
  if (mode.kind === 'none') throw new Error(`cannot run real processes: ${mode.reason}`);
  const host = {
    mode: mode.kind,
    images: { ...builtInImages, ...images },
    cgroups: findCgroups(),
    store,
    inCluster,
    // Any directory that containers do not need. Only their own mount namespaces see what is mounted on it.
    rootDirectory: fileURLToPath(new URL('processes/helpers', import.meta.url)),
  };
  return { createSandbox: (pod) => createSandbox(host, pod) };
}
