import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { FirstAnswer } from '../../../../src/kube/client/busy.ts';

const answered = (status: number): Answer => ({
  kind: 'Answered',
  status,
  body: '',
  date: undefined,
  retryAfter: undefined,
});
const refused: Answer = {
  kind: 'Unanswered',
  problem: { kind: 'Unreachable', message: 'https://a refuses connections', isFleeting: true },
};

/** What is being waited for after these. */
function awaitedAfter(...answers: readonly Answer[]): string | undefined {
  const first = new FirstAnswer('https://a');
  first.ask();
  for (const answer of answers) first.hear(answer);
  return first.awaited;
}

it.each<readonly [title: string, answers: readonly Answer[], awaited: string | undefined]>([
  ['an answer at all', [], 'https://a has not answered yet'],
  ['a server that does not listen', [refused], 'https://a refuses connections'],
  ['a server that is busy', [refused, answered(503)], 'https://a answers HTTP 503'],
  ['nothing, once it has answered', [refused, answered(403)], undefined],
  ['nothing, whatever happens later', [answered(200), refused], undefined],
])('waits for %s', (_title, answers, awaited) => {
  expect(awaitedAfter(...answers)).toBe(awaited);
});

it('waits for nothing before the server is asked: a plugin may be asking for a password', () => {
  expect(new FirstAnswer('https://a').awaited).toBeUndefined();
});
