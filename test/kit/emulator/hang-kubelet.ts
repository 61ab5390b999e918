import { addNode } from './add-node.ts';
import type { Emulator } from './emulator.ts';
import type { Pod } from './world/objects.ts';

/**
 * Adds a node whose kubelet runs its pods and reports on them, but answers nothing that the API server passes on to it: as one
 * does whose port is filtered, or whose streaming server hangs. Returns a function that makes it answer.
 */
export function hangKubelet(emulator: Emulator, node: string): () => void {
  const { world, faults } = emulator;
  const { store } = world;
  addNode(emulator, node);
  return faults.add(
    {
      resource: 'pods',
      when: ({ subresource, namespace, name }) =>
        ['exec', 'portforward', 'log'].includes(subresource) &&
        store.get<Pod>('pods', namespace, name)?.spec.nodeName === node,
    },
    { kind: 'NeverAnswer' },
  );
}
