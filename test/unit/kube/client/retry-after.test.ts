import { describe, expect, it } from 'vitest';
import { parseRetryAfter, quietAfter } from '../../../../src/kube/client/busy.ts';
import { readRecording } from '../../../builders/recordings.ts';

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
