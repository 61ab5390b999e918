import { fileURLToPath } from 'node:url';
import type { InCluster } from '../in-cluster.ts';
import type { Runtime } from '../runtime.ts';
import type { Store } from '../store.ts';
import { processesMode } from './processes/available.ts';
import { findCgroups } from './processes/cgroups.ts';
import { builtInImages, type Images } from './processes/images.ts';
import { createSandbox } from './processes/sandbox.ts';

/** Why there can be no real processes here; undefined when there can. */
export function processesAvailable(): string | undefined {
  const mode = processesMode();
  return mode.kind === 'none' ? mode.reason : undefined;
}

/** Why pods cannot share a PID namespace here; undefined when they can. */
export function sharedPidNamespaceAvailable(): string | undefined {
  const reason = processesAvailable();
  if (reason) return reason;
  return findCgroups() ? undefined : 'needs a cgroup hierarchy that can be written';
}

/** Containers as trees of real processes in namespaces of their own, so that signals do what the kernel does. */
export function processRuntime(store: Store, images: Images = {}, inCluster?: () => InCluster): Runtime {
  const mode = processesMode();
  if (mode.kind === 'none') throw new Error(`no real processes here: ${mode.reason}`);
  const host = {
    mode: mode.kind,
    images: { ...builtInImages, ...images },
    cgroups: findCgroups(),
    store,
    inCluster,
    // Any directory will do that holds nothing a container is made of: nobody else sees what is mounted on it.
    rootDirectory: fileURLToPath(new URL('processes/helpers', import.meta.url)),
  };
  return { createSandbox: (pod) => createSandbox(host, pod) };
}
