import { expect, it } from 'vitest';
import { readPodList } from '../../../../src/kube/pods/list-body.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { inChunks } from '../../../builders/transport.ts';

const fat = 'x'.repeat(3 * 1024 * 1024);

function read(items: readonly unknown[]) {
  const text = JSON.stringify({ kind: 'PodList', metadata: { continue: 'next' }, items });
  return readPodList(inChunks(text, 100_000));
}

/** A pod as the API server writes it: the names before all else. */
function fatPod(names: object): object {
  return { metadata: { ...names, annotations: { fat } }, spec: {}, status: {} };
}

it('narrows pods, and names what is not one', async () => {
  const { pods, malformed, frame } = await read([
    apiPod({ metadata: { name: 'a' } }),
    { metadata: { name: 'b' } },
  ]);
  expect(pods.map(({ ref }) => ref.name)).toEqual(['a']);
  expect(malformed).toEqual([{ namespace: '', name: 'b', problem: 'no namespace, name or uid' }]);
  expect(JSON.parse(frame)).toEqual({ kind: 'PodList', metadata: { continue: 'next' }, items: [] });
});

it('a pod that is too large is undecided, alone and by its name', async () => {
  const names = { name: 'b', generateName: 'b-', namespace: 'demo', uid: 'uid-2' };
  const { pods, malformed } = await read([apiPod(), fatPod(names), apiPod()]);
  expect(pods).toHaveLength(2);
  expect(malformed).toEqual([
    { namespace: 'demo', name: 'b', problem: 'TooLarge: the pod has more than 2 MiB' },
  ]);
});

it.each([
  ['another beginning', { kind: 'Pod', ...fatPod({ name: 'b', namespace: 'demo' }) }, 'demo/b'],
  ['a name that is too large itself', fatPod({ name: fat }), '/'],
  ['a name that is not a text', fatPod({ name: { toString: 1 }, namespace: 'demo' }), '/'],
  ['no metadata', { fat }, '/'],
])('a pod that is too large with %s', async (_title, pod, name) => {
  const { malformed } = await read([pod]);
  expect(malformed.map((one) => `${one.namespace}/${one.name}`)).toEqual([name]);
});
