import { expect, it } from 'vitest';
import { asAsked } from '../../../../src/kube/pods/as-asked.ts';
import { podView } from '../../../builders/pod-view.ts';

const podIn = (namespace: string, name: string, labels = {}) =>
  podView({ ref: { namespace, name, uid: name }, labels });
const [a, b] = [podIn('jobs', 'a', { team: 'x' }), podIn('etl', 'b')];
const atWork = [a.ref, b.ref];
const malformed = [{ namespace: '', name: '', problem: 'not an object' }];
const all = { pods: [a, b], atWork, malformed };

it('keeps every pod of a list of everything', () => {
  expect(asAsked(all, undefined, { labelSelector: undefined })).toEqual(all);
});

it('drops the pods of other namespaces, and says so', () => {
  const problem = 'it came with a list of namespace jobs';
  const dropped = { namespace: 'etl', name: 'b', problem };
  expect(asAsked(all, 'jobs', { labelSelector: undefined })).toEqual({
    pods: [a],
    atWork: [a.ref],
    malformed: [...malformed, dropped, dropped],
  });
});

it('drops the pods without the labels, whose labels are known', () => {
  const problem = 'it came with a list of team=x, which it does not match';
  expect(asAsked(all, undefined, { labelSelector: 'team=x' })).toEqual({
    pods: [a],
    atWork,
    malformed: [...malformed, { namespace: 'etl', name: 'b', problem }],
  });
});
