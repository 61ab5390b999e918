import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import type { Write } from '../../../../src/kube/client/transport.ts';
import { mayI } from '../../../../src/kube/objects/access.ts';
import type { ProblemKind } from '../../../../src/model/reading.ts';
import { readRecording } from '../../../builders/recordings.ts';
import { answered, forbidden, timedOut, transportThatSends } from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();
const access = { verb: 'create', group: '', resource: 'pods', subresource: 'exec', namespace: 'demo' };

function ask(answer: Answer, about: Parameters<typeof mayI>[1] = access) {
  return mayI(transportThatSends(answer).transport, about, abort);
}

/** The recorded answer of a real cluster. */
function recorded(name: string): Answer {
  const { status = 0, body } = readRecording(name).exchanges?.[0] ?? {};
  return answered(status, body);
}

it('the review has the verb, the resource and the namespace', async () => {
  const { transport, sent } = transportThatSends(answered(201, {}));
  await mayI(transport, access, abort);
  await mayI(transport, { verb: 'delete', group: '', resource: 'pods' }, abort);
  await mayI(transport, { verb: 'get', group: '', resource: 'namespaces', name: 'kube-system' }, abort);
  const review = (resourceAttributes: object): Write => ({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    },
  });
  expect(sent).toStrictEqual([
    review({ verb: 'create', group: '', resource: 'pods', subresource: 'exec', namespace: 'demo' }),
    review({ verb: 'delete', group: '', resource: 'pods' }),
    review({ verb: 'get', group: '', resource: 'namespaces', name: 'kube-system' }),
  ]);
});

describe('a real cluster’s answer', () => {
  it.each([
    ['access-review', 'Allowed'],
    ['access-review-denied', 'Denied'],
  ])('%s: %s', async (recording, expected) => {
    expect(await ask(recorded(recording))).toEqual({ kind: expected });
  });
});

describe('an unclear answer', () => {
  it.each<readonly [title: string, answer: Answer, kind: ProblemKind, says: string]>([
    ['no answer', timedOut, 'TimedOut', 'no answer'],
    ['forbidden', forbidden, 'Forbidden', 'is forbidden'],
    ['a login page', answered(200, '<html>'), 'Malformed', 'not a SelfSubjectAccessReview (HTML)'],
    ['a server error', answered(500, ''), 'Rejected', 'HTTP 500'],
    ['no status', answered(201, {}), 'Malformed', 'not a SelfSubjectAccessReview'],
    ['a string instead of a boolean', answered(201, { status: { allowed: 'true' } }), 'Malformed', 'true'],
    ['null', answered(201, 'null'), 'Malformed', 'null'],
    ['a truncated answer', answered(201, '{"status":'), 'Malformed', '"status":'],
  ])('says why it is unknown: %s', async (_title, answer, kind, says) => {
    const problem = { kind, message: expect.stringContaining(says) };
    expect(await ask(answer)).toMatchObject({ kind: 'Unreadable', problem });
  });
});
