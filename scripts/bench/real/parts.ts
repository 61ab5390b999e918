import { kubectlVersion } from '../kubectl.ts';
import { type Parts, scanOf, sidecarKinds } from '../parts.ts';
import { benchSweep } from '../sweep.ts';
import { countPods, openRealCluster } from './cluster.ts';
import { withOwnNamespace } from './own-namespace.ts';
import { realSite } from './site.ts';

/** The namespace that is made for sweeps, and how many pods it gets. */
export interface Fill {
  readonly namespace: string;
  readonly pods: number;
}

/** What is measured on the cluster of the current kubeconfig; only the sweeps write there. */
export function realParts(fill: Fill | undefined): Parts {
  return {
    'scan-real': async (rounds) => {
      const { core, where } = await openRealCluster();
      const pods = await countPods(core);
      return { ...(await scanOf(where, pods, rounds)), facts: { pods } };
    },
    ...(fill && Object.fromEntries(sidecarKinds.map((kind) => [`sweep-real-${kind}`, sweep(fill, kind)]))),
  };
}

function sweep({ namespace, pods }: Fill, kind: (typeof sidecarKinds)[number]): Parts[string] {
  return async (rounds) => {
    const cluster = await openRealCluster();
    return withOwnNamespace(cluster.core, namespace, () =>
      benchSweep(realSite(cluster, namespace, pods, kind), rounds, kubectlVersion() !== undefined),
    );
  };
}
