import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgress } from '../../../../src/cli/sweep/progress.ts';
import type { SweepEvent } from '../../../../src/plan/sweep-event.ts';
import { candidate } from '../../../builders/plan.ts';
import { now } from '../../../builders/pod-view.ts';
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

function progressOn(stream: ReturnType<typeof terminal>) {
  const style = () => ({ colour: false, width: stream.columns || undefined, wide: false });
  return createProgress({ stream, style, now: () => now });
}

/** The terminal output after each event. */
function shownAfter(events: readonly SweepEvent[], stream = terminal(80)): readonly string[] {
  const progress = progressOn(stream);
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
  expect(listing).toContain('1 pod listed');
  expect(ending).toContain('0 of 1 sidecar');
  expect(concluded).toContain('1 of 1 sidecar');
  expect(concluded).toContain('demo/work-x2k9p: sidecar stopped, exit code 0; pod ');
  expect(stopping).toContain('Press Ctrl-C again to');
  expect(stopping).toContain('1 of 1 sidecar  stopping');
  expect(over).not.toContain(' of ');
  expect(vi.getTimerCount()).toBe(0);
});

it('a question has the terminal to itself, and Ctrl-C at it needs no explanation', async () => {
  const stream = terminal(80);
  const progress = progressOn(stream);
  const stuck = candidate();
  for (const event of [started(), ...listed(stuck), planMade(stuck)]) progress.hear(event);
  const shown = await progress.pausedFor(async () => {
    stream.read();
    vi.advanceTimersByTime(1_000);
    progress.hear({ kind: 'Stopping', reason: 'Signal' });
    return stream.read();
  });
  expect(shown).toBeNull();
  progress.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('a terminal of 0 columns has no such line', () => {
  const stuck = candidate();
  const shown = shownAfter([started(), ...listed(stuck), planMade(stuck)], terminal(0));
  expect(shown.join('')).not.toContain('pods');
});

it('a terminal that loses its columns loses the line', () => {
  const stream = terminal(80);
  const progress = progressOn(stream);
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
