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

function terminal(columns: number) {
  return Object.assign(new PassThrough(), {
    isTTY: true,
    columns,
    cursorTo() {},
    clearLine() {},
  });
}

/** The terminal output after each event. */
function shownAfter(events: readonly SweepEvent[], stream = terminal(80)): readonly string[] {
  const progress = createProgress(stream)();
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

it('of several clusters, the line shows the sums, and stays until the last sweep is over', () => {
  const stream = terminal(80);
  const next = createProgress(stream);
  const [west, east] = [next(), next()];
  const shown = () => {
    vi.advanceTimersByTime(1_000);
    return String(stream.read() ?? '');
  };
  const tell = (progress: typeof west, ...events: readonly SweepEvent[]) => {
    for (const event of events) progress.hear(event);
    return shown();
  };
  const stuck = candidate();
  tell(west, started(), ...listed(stuck), planMade(stuck));
  expect(tell(east, started(), ...listed(stuck))).toContain('listing: 2 pods');
  expect(tell(east, planMade(stuck))).toContain('ending sidecars: 0 of 2 pods done');
  tell(east, endOf(stuck), finished);
  expect(tell(west, endOf(stuck))).toContain('ending sidecars: 2 of 2 pods done');
  east.stop();
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  west.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('a terminal of 0 columns has no such line', () => {
  const stuck = candidate();
  const shown = shownAfter([started(), ...listed(stuck), planMade(stuck)], terminal(0));
  expect(shown.join('')).not.toContain('pods');
});

it('a terminal that loses its columns loses the line', () => {
  const stream = terminal(80);
  const progress = createProgress(stream)();
  progress.hear(started());
  vi.advanceTimersByTime(1_000);
  expect(String(stream.read())).toContain('reading the cluster');
  stream.columns = 0;
  stream.emit('resize');
  stream.read();
  for (const event of listed(candidate())) progress.hear(event);
  vi.advanceTimersByTime(1_000);
  expect(stream.read()).toBeNull();
  progress.stop();
  expect(stream.listenerCount('resize')).toBe(0);
});
