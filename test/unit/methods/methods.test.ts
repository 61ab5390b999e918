import { describe, expect, it } from 'vitest';
import { methods, sendToContainer } from '../../../src/methods/index.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { steps } from '../../builders/plan.ts';

const pod = { namespace: 'demo', name: 'work', uid: 'uid-1' };
const { signal } = new AbortController();

describe('what a method is called on the command line and the least it needs', () => {
  it.each([
    ['Command', 'command', 'pods/exec', ['get', 'create']],
    ['Http', 'http', 'pods/portforward', ['get', 'create']],
    ['Signal', 'signal', 'pods/exec', ['get', 'create']],
    ['Tombstone', 'tombstone', 'pods/exec', ['get', 'create']],
    ['ImageSwap', 'image-swap', 'pods', ['patch']],
    ['EphemeralContainer', 'ephemeral-container', 'pods/ephemeralcontainers', ['patch']],
    ['Deadline', 'deadline', 'pods', ['patch']],
    ['Evict', 'evict', 'pods/eviction', ['create']],
    ['Delete', 'delete', 'pods', ['delete']],
  ] as const)('%s: %s, %s: %j', (name, flag, resource, verbs) => {
    expect(methods[name]).toMatchObject({
      flag,
      rbac: [{ apiGroups: [''], resources: [resource], verbs }],
    });
  });

  it('is told of every method there is', () => {
    expect(Object.keys(methods).sort()).toEqual(Object.keys(steps).sort());
  });
});

it('only what goes beyond ending one container says what it costs', () => {
  const free = Object.entries(methods).flatMap(([name, { price }]) => (price === '' ? [name] : []));
  expect(free.sort()).toEqual(['Command', 'Http', 'Signal', 'Tombstone']);
});

describe('a step is sent by its own method', () => {
  it.each([steps.Command, steps.Signal, steps.Tombstone])('$method by exec', async (step) => {
    const cluster = clusterWith({
      exec: async () => ({ kind: 'Exited', exitCode: 0, output: 'sent TERM to PID 1' }),
    });
    expect(await sendToContainer(cluster, pod, 'sidecar', step, signal)).toMatchObject({ kind: 'Accepted' });
  });

  it('Http by port-forward', async () => {
    const cluster = clusterWith({ request: async () => ({ kind: 'Answered', status: 200 }) });
    expect(await sendToContainer(cluster, pod, 'sidecar', steps.Http, signal)).toEqual({ kind: 'Accepted' });
  });
});
