import type { PodView } from '../vocabulary/pod.ts';
import type { Unfitness } from './method.ts';

/** Why signals sent from inside a container of this pod would reach others than the sidecar. */
export function whySignalsAreUnfit(
  { processNamespace }: PodView,
  reachesPid1: boolean,
): Unfitness | undefined {
  switch (processNamespace) {
    case 'Node':
      // There PID 1 is the node's init process, and every process of the node is in sight.
      return { reason: 'SeesTheNode', detail: 'hostPID' };
    case 'Pod':
      return reachesPid1
        ? { reason: 'ShownOtherwise', detail: 'PID 1 is the pause container; ending it ends the pod' }
        : undefined;
    case 'Container':
      return undefined;
  }
}
