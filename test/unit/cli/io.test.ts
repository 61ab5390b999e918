import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitForReaders } from '../../../src/cli/io.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);
const log = { stderr: new PassThrough() };
const terminal = { stderr: Object.assign(new PassThrough(), { isTTY: true }) };

it('what is written in time is waited for, and nothing else stays', async () => {
  const wait = waitForReaders(log, new AbortController().signal);
  const write = wait(new Promise<string>((resolve) => setTimeout(() => resolve('done'), 59_000)));
  vi.advanceTimersByTime(59_000);
  expect(await write).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

it('a reader that takes nothing for a minute is given up', async () => {
  const write = waitForReaders(log, new AbortController().signal)(never);
  vi.advanceTimersByTime(60_000);
  await expect(write).rejects.toThrow('its reader has stopped reading');
});

it('a person in front of a terminal has time until the sweep is to end', async () => {
  const over = new AbortController();
  const write = waitForReaders(terminal, over.signal)(never);
  expect(vi.getTimerCount()).toBe(0);
  over.abort();
  vi.advanceTimersByTime(200);
  await expect(write).rejects.toThrow('its reader has stopped reading');
});

it('a reader that reads gets what is due, however late it is', async () => {
  const wait = waitForReaders(log, AbortSignal.abort());
  const write = wait(new Promise<string>((resolve) => setTimeout(() => resolve('done'), 199)));
  vi.advanceTimersByTime(199);
  expect(await write).toBe('done');
});

it('a write that fails says why', async () => {
  const wait = waitForReaders(log, new AbortController().signal);
  await expect(wait(Promise.reject(new Error('no space')))).rejects.toThrow('no space');
});
