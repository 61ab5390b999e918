import { expect, it } from 'vitest';
import { raiseBackoffLimit } from '../../../../src/kube/objects/jobs.ts';
import type { WriteResult } from '../../../../src/model/ports.ts';
import { answered, forbidden, timedOut, transportThatSends } from '../../../builders/transport.ts';

const { signal: abort } = new AbortController();

it('the request is the recorded patch, with tests for the uid and the limit that was read', async () => {
  const { transport, sent } = transportThatSends(answered(200, {}));
  const owner = {
    group: 'batch',
    kind: 'Job',
    name: 'raised',
    uid: '5cda5ac2-6d6d-4625-b569-275bdcb7b7ee',
  };
  const result = await raiseBackoffLimit(transport, 'bl2', owner, { from: 0, to: 2 }, abort);
  expect(result).toEqual({ kind: 'Written' });
  // Recorded: image-swap-onfailure-backoff-raised.
  expect(sent).toEqual([
    {
      method: 'PATCH',
      path: '/apis/batch/v1/namespaces/bl2/jobs/raised',
      contentType: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/metadata/uid', value: '5cda5ac2-6d6d-4625-b569-275bdcb7b7ee' },
        { op: 'test', path: '/spec/backoffLimit', value: 0 },
        { op: 'replace', path: '/spec/backoffLimit', value: 2 },
      ],
    },
  ]);
});

it.each<readonly [what: string, answer: Parameters<typeof transportThatSends>[0], WriteResult['kind']]>([
  [
    'a Job that has changed',
    answered(422, { message: 'the server rejected our request due to an error in our request' }),
    'Conflict',
  ],
  ['a Job that is gone', answered(404, {}), 'Conflict'],
  ['a lack of permission', forbidden, 'Refused'],
  ['an admission policy', answered(422, { message: 'denied request' }), 'Rejected'],
  ['a busy server', answered(429, {}), 'Busy'],
  ['no answer', timedOut, 'Unconfirmed'],
])('%s', async (_what, answer, kind) => {
  const { transport } = transportThatSends(answer);
  const owner = { group: 'batch', kind: 'Job', name: 'work', uid: 'uid-2' };
  const result = await raiseBackoffLimit(transport, 'demo', owner, { from: 0, to: 2 }, abort);
  expect(result.kind).toBe(kind);
  if (kind === 'Conflict' && 'message' in result) expect(result.message).not.toContain('pod');
});
