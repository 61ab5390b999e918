import { expect, it } from 'vitest';
import { toWriteAttempt } from '../../../src/methods/write-attempt.ts';
import type { WriteResult } from '../../../src/ports.ts';
import type { AttemptResult } from '../../../src/vocabulary/attempt-result.ts';

it.each<readonly [WriteResult, AttemptResult]>([
  [{ kind: 'Written' }, { kind: 'Accepted' }],
  [
    { kind: 'Conflict', message: 'another pod' },
    { kind: 'Undelivered', message: 'another pod' },
  ],
  [
    { kind: 'Refused', message: 'is forbidden' },
    { kind: 'Refused', message: 'is forbidden' },
  ],
  [
    { kind: 'Rejected', message: 'is invalid' },
    { kind: 'Unsupported', message: 'is invalid' },
  ],
  [
    { kind: 'Busy', message: 'a budget', retryAfter: 10_000 },
    { kind: 'Busy', message: 'a budget', retryAfterMs: 10_000 },
  ],
  [
    { kind: 'Busy', message: 'a budget', retryAfter: undefined },
    { kind: 'Busy', message: 'a budget' },
  ],
  [
    { kind: 'Undelivered', message: 'not sent' },
    { kind: 'Undelivered', message: 'not sent' },
  ],
  [
    { kind: 'Unconfirmed', message: 'no answer' },
    { kind: 'Unconfirmed', message: 'no answer' },
  ],
])('the write %j is the attempt %j', (result, expected) => {
  expect(toWriteAttempt(result)).toStrictEqual(expected);
});
