import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { createEvent } from '../../../../src/kube/objects/typed.ts';
import type { PodEvent } from '../../../../src/model/ports.ts';
import { abort, answered, forbidden, timedOut, transportThatSends } from '../../../builders/transport.ts';

const event: PodEvent = {
  regarding: { kind: 'Pod', namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' },
  reason: 'SidecarsEnded',
  type: 'Normal',
  note: 'ended',
  reporter: 'laptop',
  at: Date.parse('2026-11-21T04:00:00.250Z'),
};

it('is written in the pod’s namespace, with the pod’s uid', async () => {
  const { transport, sent } = transportThatSends(answered(201, {}));
  expect(await createEvent(transport, event, abort)).toBeUndefined();
  const body = {
    kind: 'Event',
    metadata: { namespace: 'demo', name: expect.stringMatching(/^sidecar-sweeper-[0-9a-f]{32}$/) },
    regarding: { apiVersion: 'v1', ...event.regarding },
    reason: 'SidecarsEnded',
    eventTime: '2026-11-21T04:00:00.250000Z',
    reportingInstance: 'laptop',
  };
  const path = '/apis/events.k8s.io/v1/namespaces/demo/events';
  expect(sent).toMatchObject([{ method: 'POST', path, body }]);
});

it('of a Job names the Job', async () => {
  const { transport, sent } = transportThatSends(answered(201, {}));
  const regarding = { kind: 'Job', namespace: 'demo', name: 'work', uid: 'uid-2' } as const;
  await createEvent(transport, { ...event, regarding }, abort);
  expect(sent).toMatchObject([{ body: { regarding: { apiVersion: 'batch/v1', ...regarding } } }]);
});

it('that warns of the same as one that still exists is not written again', async () => {
  const { transport, sent } = transportThatSends(answered(409, { kind: 'Status', reason: 'AlreadyExists' }));
  const written = (one: PodEvent) => createEvent(transport, one, abort);
  const warning: PodEvent = { ...event, type: 'Warning' };
  expect(await written(warning)).toBeUndefined();
  await written({ ...warning, at: event.at + 1, reporter: 'other' });
  await written({ ...warning, note: 'is blocked' });
  await written({ ...warning, regarding: { ...event.regarding, uid: 'uid-2' } });
  const [first, ...others] = sent.map(({ body }) => (body as { metadata: { name: string } }).metadata.name);
  expect(others.map((name) => name === first)).toEqual([true, false, false]);
});

it('of what was done is written each time', async () => {
  const { transport, sent } = transportThatSends(answered(201, {}));
  for (const at of [event.at, event.at + 1]) await createEvent(transport, { ...event, at }, abort);
  const names = sent.map(({ body }) => (body as { metadata: { name: string } }).metadata.name);
  expect(new Set(names).size).toBe(2);
});

it.each<readonly [title: string, answer: Answer, kind: string]>([
  ['forbidden', forbidden, 'Forbidden'],
  ['not answered', timedOut, 'TimedOut'],
  [
    'in conflict with a quota that is being updated',
    answered(409, { kind: 'Status', reason: 'Conflict' }),
    'Rejected',
  ],
  ['rejected for a terminating namespace', answered(422, { kind: 'Status' }), 'Rejected'],
])('returns why it was not written: %s', async (_title, answer, kind) => {
  expect(await createEvent(transportThatSends(answer).transport, event, abort)).toMatchObject({ kind });
});
