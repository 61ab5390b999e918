import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { FirstAnswer, parseRetryAfter, Quiet, quietAfter } from '../../../../src/kube/client/busy.ts';
import { readRecording } from '../../../builders/recordings.ts';
import { clockOf } from '../../../builders/stepped-clock.ts';
import { answered } from '../../../builders/transport.ts';
import { steppedClock } from '../../../kit/emulator/index.ts';

function begin() {
  const time = steppedClock(0);
  const quiet = new Quiet(clockOf(time));
  const stopping = new AbortController();
  const ended: number[] = [];
  const wait = () => void quiet.over(stopping.signal).then(() => ended.push(time.now().getTime()));
  return { time, quiet, stopping, ended, wait };
}

it('all requests wait for the end of a Retry-After', async () => {
  const { time, quiet, ended, wait } = begin();
  wait();
  await time.advance(0);
  expect(ended).toEqual([0]);
  quiet.keep(undefined);
  quiet.keep(7_000);
  wait();
  await time.advance(2_000);
  wait();
  quiet.keep(1_000);
  await time.advance(60_000);
  expect(ended).toEqual([0, 7_000, 7_000]);
});

it.each<
  readonly [title: string, first: number, then: (around: ReturnType<typeof begin>) => void, end: number]
>([
  [
    'a longer one that comes meanwhile counts for those who wait already',
    2_000,
    ({ quiet }) => quiet.keep(5_000),
    6_000,
  ],
  ['an absurd one does not stop a sweep for a day', 86_400_000, () => undefined, 30_000],
  ['none is waited for once the sweep has stopped', 10_000, ({ stopping }) => stopping.abort(), 1_000],
])('of Retry-Afters, %s', async (_title, first, then, end) => {
  const around = begin();
  around.quiet.keep(first);
  around.wait();
  await around.time.advance(1_000);
  then(around);
  await around.time.advance(0);
  await around.time.advance(86_400_000);
  expect(around.ended).toEqual([end]);
});

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

const saying = (message: string) => JSON.stringify({ kind: 'Status', status: 'Failure', message });
const webhook = saying('admission webhook "evictions.example" denied the request: being moved');
const budget = JSON.stringify(readRecording('evict').exchanges?.[0]?.body);

it.each([
  ['a 429', 429, '2', saying('too many requests'), 2_000],
  ['a 503', 503, '2', saying('too many requests'), 2_000],
  ['a 500', 500, '2', saying('too many requests'), undefined],
  ['a success', 200, '2', saying('too many requests'), undefined],
  ['no Retry-After', 429, undefined, saying('too many requests'), undefined],
  ['a disruption budget, which is about one pod', 429, '10', budget, undefined],
  ['an admission webhook, which knows one object', 429, '10', webhook, undefined],
])('the server wants no requests at all after %s', (_title, status, header, body, quiet) => {
  expect(quietAfter(status, header, body)).toBe(quiet);
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
