import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { mayI } from '../../../../src/kube/objects/typed.ts';
import type { ProblemKind } from '../../../../src/model/reading.ts';
import { answered, forbidden, recorded, timedOut, transportThatSends } from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();
const access = { verb: 'create', group: '', resource: 'pods', subresource: 'exec', namespace: 'demo' };

const reviewed = (status: object) => answered(201, { kind: 'SelfSubjectAccessReview', status });
const ask = (answer: Answer) => mayI(transportThatSends(answer).transport, access, abort);

it.each([
  access,
  { verb: 'delete', group: '', resource: 'pods' },
  { verb: 'get', group: '', resource: 'namespaces', name: 'kube-system' },
])('the review has what it is about: %j', async (resourceAttributes) => {
  const { transport, sent } = transportThatSends(answered(201, {}));
  await mayI(transport, resourceAttributes, abort);
  const kind = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  expect(sent).toStrictEqual([{ method: 'POST', path, body: { ...kind, spec: { resourceAttributes } } }]);
});

it('an authorizer that failed beside one that allowed does no harm', async () => {
  expect(await ask(reviewed({ allowed: true, evaluationError: 'timed out' }))).toEqual({ kind: 'Allowed' });
});

it.each([
  ['access-review', 'Allowed'],
  ['access-review-denied', 'Denied'],
])('a real cluster’s answer, %s: %s', async (recording, expected) => {
  expect(await ask(recorded(recording))).toEqual({ kind: expected });
});

// biome-ignore format: one row a line
it.each<readonly [title: string, answer: Answer, kind: ProblemKind, says: string]>([
  ['no answer', timedOut, 'TimedOut', 'no answer'],
  ['forbidden', forbidden, 'Forbidden', 'is forbidden'],
  ['a login page', answered(200, '<html>'), 'Malformed', 'not a SelfSubjectAccessReview (HTML)'],
  ['a server error', answered(500, ''), 'Rejected', 'HTTP 500'],
  ['no status', answered(201, {}), 'Malformed', 'not a SelfSubjectAccessReview'],
  ['a string instead of a boolean', answered(201, { status: { allowed: 'true' } }), 'Malformed', 'true'],
  ['null', answered(201, 'null'), 'Malformed', 'null'],
  ['an authorizer that failed', reviewed({ allowed: false, evaluationError: 'timed out' }), 'Rejected', 'timed out'],
  ['a truncated answer', answered(201, '{"status":'), 'Malformed', '"status":'],
])('an unclear answer says why it is unknown: %s', async (_title, answer, kind, says) => {
  const problem = { kind, message: expect.stringContaining(says) };
  expect(await ask(answer)).toMatchObject({ kind: 'Unreadable', problem });
});
