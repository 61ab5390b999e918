import type { Emulator } from './emulator.ts';
import type { Pod } from './world/objects.ts';

/**
 * Adds a node whose kubelet runs its pods and reports on them, but answers nothing that the API server passes on to it: as one
 * does whose port is filtered, or whose streaming server hangs. Returns a function that makes it answer.
 */
export function hangKubelet({ world: { store }, faults }: Emulator, node: string): () => void {
  const [template] = store.list('nodes');
  if (!template) throw new Error('the cluster has no node');
  const { name: _name, uid: _uid, resourceVersion: _version, ...metadata } = template.metadata;
  if (!store.get('nodes', undefined, node)) {
    store.create('nodes', { ...template, metadata: { ...metadata, name: node } });
  }
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
