import type { Emulator } from './emulator.ts';

/** Adds a node like the first one, unless there is one of this name. */
export function addNode({ world: { store } }: Emulator, node: string): void {
  if (store.get('nodes', undefined, node)) return;
  const [template] = store.list('nodes');
  if (!template) throw new Error('the cluster has no node');
  const { name: _name, uid: _uid, resourceVersion: _version, ...metadata } = template.metadata;
  store.create('nodes', { ...template, metadata: { ...metadata, name: node } });
}
