import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgress, type ProgressState, statusLine } from '../../../../src/cli/terminal/progress.ts';
import type { SweepEvent } from '../../../../src/plan/sweep-event.ts';
import { widthOf } from '../../../../src/report/columns.ts';
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
  return Object.assign(new PassThrough(), { isTTY: true, columns, cursorTo() {}, clearLine() {} });
}

function progressOn(stream: ReturnType<typeof terminal>, wide = false) {
  const style = () => ({ colour: false, width: stream.columns || undefined, wide });
  return createProgress({ stream, style, now: () => now });
}

function shownAfter(events: readonly SweepEvent[], stream = terminal(80)): readonly string[] {
  const progress = progressOn(stream);
  const shown = events.map((event) => {
    progress.hear(event);
    vi.advanceTimersByTime(1_000);
    return String(stream.read() ?? '');
  });
  progress.hear(finished);
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
  expect(concluded).not.toContain('demo/work-x2k9p');
  expect(stopping).toContain('Press Ctrl-C again to');
  expect(stopping).toContain('1 of 1 sidecar, stopping');
  expect(over).not.toContain(' of ');
  expect(vi.getTimerCount()).toBe(0);
});

it('each pod that has ended is named above the line if all are asked for', () => {
  const stream = terminal(80);
  const progress = progressOn(stream, true);
  for (const event of [started(), ...listed(candidate()), planMade(candidate()), endOf(candidate())])
    progress.hear(event);
  progress.hear(finished);
  expect(String(stream.read())).toContain('demo/work-x2k9p: sidecar stopped, exit code 0; pod ');
});

it('the line is hidden during a question, and Ctrl-C then needs no explanation', async () => {
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
  progress.hear(finished);
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
  progress.hear(finished);
  expect(stream.listenerCount('resize')).toBe(0);
});

const wait = (name: string, until: number) => ({ name, until });
const waits = [wait('billing/invoice-mail', 5_000), wait('etl/load', 27_400)];
const counted = { listed: 40, stuck: 12, targets: 12, done: 3 };
const ending: ProgressState = { isListing: false, ...counted, waits, isStopping: false };
const whileListing: ProgressState = { ...ending, isListing: true };

it('the line says how long at most it takes, and names the pod that takes longest', () => {
  const full = '██░░░░░░░░ 3 of 12 sidecars, at most 28s left, waiting for etl/load and 1 more';
  expect(statusLine(ending, 0, 200)).toBe(full);
  const expected = /sidecars, waiting for a\/b$/;
  expect(statusLine({ ...ending, waits: [wait('a/b', 0)] }, 1_000, 200)).toMatch(expected);
  expect(statusLine({ ...ending, waits: [] }, 0, 200)).toMatch(/ 3 of 12 sidecars$/);
  expect(statusLine({ ...ending, isStopping: true }, 0, 200)).toMatch(/ 3 of 12 sidecars, stopping$/);
  for (const width of [27, 36, 46, 70]) {
    expect(full.startsWith(statusLine(ending, 0, width))).toBe(true);
  }
  expect(statusLine(ending, 0, 46)).toBe('██░░░░░░░░ 3 of 12 sidecars, at most 28s left');
});

it('the line says how many pods have been listed', () => {
  expect(statusLine({ ...whileListing, stuck: 0 }, 0, 80)).toBe('40 pods listed');
  expect(statusLine(whileListing, 0, 80)).toBe('40 pods listed, 12 stuck');
  expect(statusLine({ ...whileListing, isStopping: true }, 0, 80)).toBe('40 pods listed, 12 stuck, stopping');
});

it('the line is never too long', () => {
  for (const state of [ending, whileListing, { ...ending, isStopping: true }]) {
    for (let width = 10; width <= 400; width++) {
      expect(widthOf(statusLine(state, 0, width))).toBeLessThanOrEqual(width);
    }
  }
});
