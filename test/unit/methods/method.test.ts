import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { duration, fromOutside, specCommon, timer } from '../../../src/methods/method.ts';
import { common } from './recipient.ts';

describe('what every written step may say', () => {
  const written = z.strictObject(specCommon);

  it('is read as it is, with the grace period in milliseconds', () => {
    expect(written.parse({})).toEqual({});
    const signs = { when: [{ env: 'QUIT' }], unless: [{ annotation: 'a/b', value: 'no' }] };
    const expected = { exitCode: 143, grace: 90_000, ...signs };
    expect(written.parse({ exitCode: 143, grace: '1m30s', ...signs })).toEqual(expected);
  });

  // biome-ignore format: as many as fit on a line
  it.each([
    [{ exitCode: 0 }, true], [{ exitCode: 255 }, true], [{ exitCode: -1 }, false],
    [{ exitCode: 256 }, false], [{ exitCode: 0.5 }, false], [{ exitCode: '0' }, false],
    [{ grace: '0' }, true], [{ grace: '-1s' }, false], [{ grace: 5 }, false], [{ when: [] }, false],
    [{ when: [{}] }, false], [{ unless: [] }, false], [{ retries: 3 }, false],
  ])('%j: is it accepted? %s', (value, expected) => {
    expect(written.safeParse(value).success).toBe(expected);
  });
});

it('a duration that cannot be read says how to write one', () => {
  expect(duration.parse('5m')).toBe(300_000);
  const expected = ['write a duration such as 90s, 5m or 1h30m'];
  expect(duration.safeParse('soon').error?.issues.map(({ message }) => message)).toEqual(expected);
});

it('a time that is waited for is one that timers support', () => {
  const longest = '24d20h31m23s647ms';
  expect([timer.parse('1ms'), timer.parse(longest)]).toEqual([1, 2 ** 31 - 1]);
  for (const text of ['0s', '25d']) expect(timer.safeParse(text).success).toBe(false);
});

it('a step that the kubelet carries out has 15 seconds more for what the kubelet needs', () => {
  expect(fromOutside({ ...common, exitCode: 0 })).toEqual({ ...common, exitCode: 0, grace: 45_000 });
});
