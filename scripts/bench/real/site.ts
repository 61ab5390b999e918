import { setTimeout as sleep } from 'node:timers/promises';
import type { CoreV1Api, V1Pod } from '@kubernetes/client-node';
import { onTerm, shell } from '../../../test/kit/behaviours/scripts.ts';
import { isStuck } from '../../../test/kit/behaviours/stuck-job.ts';
import type { Where } from '../part.ts';
import { graceMs, type SidecarKind } from '../pods.ts';
import type { Site } from '../sweep-ways.ts';
import type { RealCluster } from './cluster.ts';

const image = process.env['E2E_SHELL_IMAGE'] ?? 'docker.io/library/busybox:1.37';
const commands: Readonly<Record<SidecarKind, readonly string[]>> = {
  clean: onTerm('exit 0'),
  slow: onTerm('sleep 2; exit 0'),
  stubborn: onTerm(':'),
};
const lookEveryMs = 500;
const longestMs = 600_000;
const atATime = 20;

/** Stuck pods of real containers, in a namespace that has no others. */
export function realSite(
  { core, where }: RealCluster,
  namespace: string,
  count: number,
  sidecar: SidecarKind,
): Site {
  const names = Array.from({ length: count }, (_, index) => `bench-${index}`);
  const pods = async () => (await core.listNamespacedPod({ namespace })).items;
  return {
    pods: names.map((name) => ({ namespace, name })),
    sidecar,
    flags: ['-n', namespace],
    async refill(): Promise<Where> {
      await core.deleteCollectionNamespacedPod({ namespace, body: { gracePeriodSeconds: 0 } });
      await until('the last pods to be gone', async () => (await pods()).length === 0);
      for (let index = 0; index < count; index += atATime) {
        await Promise.all(
          names.slice(index, index + atATime).map((name) => create(core, namespace, name, sidecar)),
        );
      }
      await until('the pods to be stuck', async () => (await pods()).filter(isStuck).length === count);
      // Shells run for a moment before they trap signals.
      await sleep(1_000);
      return where;
    },
    stillStuck: async () => (await pods()).filter(isStuck).length,
  };
}

async function create(
  core: CoreV1Api,
  namespace: string,
  name: string,
  sidecar: SidecarKind,
): Promise<V1Pod> {
  const container = (its: string, command: readonly string[]) => ({
    name: its,
    image,
    command: [...command],
  });
  return core.createNamespacedPod({
    namespace,
    body: {
      metadata: { name, annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar' } },
      spec: {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: graceMs.TERM / 1_000,
        containers: [container('main', shell('exit 0')), container('sidecar', commands[sidecar])],
      },
    },
  });
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + longestMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
    await sleep(lookEveryMs);
  }
}
