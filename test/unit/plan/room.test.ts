import { expect, it } from 'vitest';
import { Room } from '../../../src/plan/room.ts';
import { candidate, podPlan } from '../../builders/plan.ts';
import { podView } from '../../builders/pod-view.ts';
import { stuckPlan } from '../../builders/stuck-plans.ts';

const none = { run: undefined, namespace: undefined, node: undefined };
const pod = stuckPlan({ name: 'one' });

it('without caps, there is always room', () => {
  const room = new Room(none);
  for (let taken = 0; taken < 9; taken++) room.take(pod);
  expect(room.lacksFor(pod)).toBeUndefined();
});

it('each cap counts its own pods', () => {
  const room = new Room({ run: 4, namespace: 2, node: 3 });
  room.take(pod);
  room.take(pod);
  const elsewhere = stuckPlan({ name: 'other', namespace: 'other' });
  expect(room.lacksFor(pod)).toBe('OverMaxPodsPerNamespace');
  expect(room.lacksFor(elsewhere)).toBeUndefined();
  room.take(elsewhere);
  expect(room.lacksFor(elsewhere)).toBe('OverMaxPodsPerNode');
  const onOtherNode = stuckPlan({ name: 'other', namespace: 'other', node: 'node2' });
  expect(room.lacksFor(onOtherNode)).toBeUndefined();
  room.take(onOtherNode);
  expect(room.lacksFor(onOtherNode)).toBe('OverMaxPods');
});

it('pods whose node is unknown do not share one', () => {
  const room = new Room({ ...none, node: 1 });
  const nowhere = podPlan({ candidate: candidate(podView({ node: undefined })) });
  room.take(nowhere);
  expect(room.lacksFor(nowhere)).toBeUndefined();
});
