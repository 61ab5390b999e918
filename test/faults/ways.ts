import type { LightBehaviour } from '../kit/emulator/index.ts';
import { noopImages } from '../kit/random/noop-images.ts';
import { sidecars, stuckPod } from '../kit/stuck-pods.ts';
import type { Trouble } from './faulty-cluster.ts';

const quit = { port: 15020, path: '/quitquitquit' } as const;
const askToQuit = JSON.stringify([{ http: quit, exitCode: 0 }]);

/** Sweeps of one pod whose sidecar can be ended in one way only. */
export const ways = {
  signal: only(sidecars.clean),
  http: {
    ...only(
      { shell: false, quit: { ...quit, exitCode: 0 } },
      { 'sidecar-sweeper.dev/steps-sidecar': askToQuit },
    ),
    policy: { annotationCommands: 'any' },
  },
  swap: { ...only(sidecars.immune), policy: { imageSwap: noopImages.HasAll } },
  ephemeral: {
    ...only({ shell: false, on: { SIGTERM: { exitCode: 0 } } }),
    policy: { lastResort: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }] },
  },
  deadline: { ...only(sidecars.immune), policy: { lastResort: [{ deadline: true }] } },
  evict: { ...only(sidecars.immune), policy: { lastResort: [{ evict: true }] } },
  delete: { ...only(sidecars.immune), policy: { lastResort: [{ delete: true }] } },
} as const satisfies Record<string, Trouble>;

/** A policy that ends any pod that it may. */
export const harsh = { lastResort: [{ deadline: true }, { delete: true }] };

export type Way = keyof typeof ways;
const all = Object.keys(ways) as readonly Way[];
export const otherWays = all.filter((way) => way !== 'signal');

function only(sidecar: LightBehaviour, annotations: Record<string, string> = {}): Pick<Trouble, 'pods'> {
  return { pods: (namespace) => [stuckPod({ namespace, name: 'pod', sidecar, annotations })] };
}
