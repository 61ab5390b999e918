import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { FirstAnswer, parseRetryAfter, Quiet, quietAfter } from '../../../../src/kube/client/busy.ts';
import { readRecording } from '../../../builders/recordings.ts';
import { clockOf } from '../../../builders/stepped-clock.ts';
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

it('a longer Retry-After that comes meanwhile counts for those who wait already', async () => {
  const { time, quiet, ended, wait } = begin();
  quiet.keep(2_000);
  wait();
  await time.advance(1_000);
  quiet.keep(5_000);
  await time.advance(60_000);
  expect(ended).toEqual([6_000]);
});

it('an absurd Retry-After does not stop a sweep for a day', async () => {
  const { time, quiet, ended, wait } = begin();
  quiet.keep(86_400_000);
  wait();
  await time.advance(86_400_000);
  expect(ended).toEqual([30_000]);
});

it('no request waits once the sweep has stopped', async () => {
  const { time, quiet, stopping, ended, wait } = begin();
  quiet.keep(10_000);
  wait();
  await time.advance(1_000);
  stopping.abort();
  await time.advance(0);
  expect(ended).toEqual([1_000]);
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

describe('a server wants no requests at all', () => {
  const busy = JSON.stringify({ kind: 'Status', status: 'Failure', message: 'too many requests' });
  it.each([
    [429, 2_000],
    [503, 2_000],
    [500, undefined],
    [200, undefined],
  ])('after %i: for %j ms', (status, quiet) => {
    expect(quietAfter(status, '2', busy)).toBe(quiet);
    expect(quietAfter(status, undefined, busy)).toBe(undefined);
  });

  it('but not after the refusal of a disruption budget, which is about one pod', () => {
    const { status = 0, body } = readRecording('evict').exchanges?.[0] ?? {};
    expect(quietAfter(status, '10', JSON.stringify(body))).toBe(undefined);
    expect(quietAfter(status, '10', '{}')).toBe(10_000);
  });

  it('but not after the refusal of an admission webhook, which knows one object', () => {
    const message = 'admission webhook "evictions.example" denied the request: being moved';
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', message, code: 429 });
    expect(quietAfter(429, '10', body)).toBe(undefined);
  });
});

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
