import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { FirstAnswer, parseRetryAfter } from '../../../../src/kube/client/busy.ts';
import { answered } from '../../../builders/transport.ts';

it.each<readonly [header: string | undefined, milliseconds: number | undefined]>([
  ['10', 10_000],
  ['0', 0],
  ['99999', 99_999_000],
  ['100000', 100_000_000],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['-1', undefined],
  ['1.5', undefined],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After: %s', (header, milliseconds) => {
  expect(parseRetryAfter(header)).toBe(milliseconds);
});

const refused: Answer = {
  kind: 'Unanswered',
  problem: { kind: 'Unreachable', message: 'https://a refuses connections', isFleeting: true },
};

it.each<readonly [title: string, answers: readonly Answer[], awaited: string | undefined]>([
  ['an answer at all', [], 'https://a has not answered yet'],
  ['a server that does not listen', [refused], 'https://a refuses connections'],
  ['a server that is busy', [refused, answered(503, '')], 'https://a answers HTTP 503'],
  ['nothing, once it has answered', [refused, answered(403, '')], undefined],
  ['nothing, whatever happens later', [answered(200, ''), refused], undefined],
])('waits for %s', (_title, answers, awaited) => {
  const first = new FirstAnswer('https://a');
  first.ask();
  for (const answer of answers) first.hear(answer);
  expect(first.awaited).toBe(awaited);
});

it('waits for nothing before the server is asked: a plugin may be asking for a password', () => {
  expect(new FirstAnswer('https://a').awaited).toBeUndefined();
});
