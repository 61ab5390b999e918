import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgress } from '../../../../src/cli/sweep/progress.ts';
import type { SweepEvent } from '../../../../src/events.ts';
import { candidate } from '../../../builders/plan.ts';
import { endOf, finished, listed, planMade, started } from '../../../builders/report.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // The progress line is disabled in CI jobs.
  vi.stubEnv('CI', undefined);
  vi.stubEnv('TERM', 'xterm');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** The terminal output after each event. */
function shownAfter(events: readonly SweepEvent[]): readonly string[] {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    cursorTo() {},
    clearLine() {},
  });
  const progress = createProgress(stream);
  const shown = events.map((event) => {
    progress.hear(event);
    vi.advanceTimersByTime(1_000);
    return String(stream.read() ?? '');
  });
  progress.stop();
  return shown;
}

it('one line shows the progress of a sweep, and disappears at its end', () => {
  const stuck = candidate();
  const [start, , listing, ending, concluded, stopping, over] = shownAfter([
    started(),
    ...listed(stuck),
    planMade(stuck),
    endOf(stuck),
    { kind: 'Stopping', reason: 'Signal' },
    finished,
  ]);
  expect(start).toContain('reading the cluster');
  expect(listing).toContain('listing: 1 pods');
  expect(ending).toContain('ending sidecars: 0 of 1 pods done');
  expect(concluded).toContain('ending sidecars: 1 of 1 pods done');
  expect(stopping).toContain('(stopping)');
  expect(over).not.toContain('ending sidecars');
  expect(vi.getTimerCount()).toBe(0);
});
