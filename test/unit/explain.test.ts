import { expect, it } from 'vitest';
import { explainPod } from '../../src/explain.ts';
import { hashOf, readNotes } from '../../src/facts/notes.ts';
import { clusterWith } from '../builders/cluster.ts';
import { hour, podView } from '../builders/pod-view.ts';
import { policy } from '../builders/policy.ts';
import { notebook } from '../kit/notebook.ts';

const stop = new AbortController().signal;
const now = Date.now();

it('reads only those of the noted pods that are in the namespace of the pod', async () => {
  const book = notebook();
  const notes = await readNotes(book, { now: () => now, sleep: async () => undefined }, stop);
  const watched = { container: 'sidecar', containerId: 'containerd://sidecar-0' };
  for (const namespace of ['demo', 'other']) {
    const noted = { pod: 'noted', uid: 'noted', ...watched, promises: [hashOf('promise')] };
    notes.add({ kind: 'Unseen', namespace, ...noted, at: now, due: now + hour });
  }
  await notes.written(stop);
  const pod = podView({ deleting: true, owner: undefined, node: undefined });
  const read: string[] = [];
  const cluster = clusterWith({
    async readPod({ namespace, name }) {
      read.push(`${namespace}/${name}`);
      return name === 'noted' ? { kind: 'Gone' } : { kind: 'Present', pod, asOf: now };
    },
    readNamespace: async () => ({ kind: 'Present', annotations: {} }),
  });
  const connected = { ...cluster, context: 'test', server: 'https://test', warnings: [] };
  await explainPod({
    pod: pod.ref,
    cluster: connected,
    policy: policy(),
    self: undefined,
    stop,
    notebook: book,
  });
  expect(read).toEqual([`demo/${pod.ref.name}`, 'demo/noted']);
});
