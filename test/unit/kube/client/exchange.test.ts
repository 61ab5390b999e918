import { Agent, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readText, send, TimeLimit } from '../../../../src/kube/client/exchange.ts';
import { bounds } from '../../../../src/model/bounds.ts';
import { inChunks } from '../../../builders/api-pod.ts';
import { listening } from '../../../builders/listening.ts';

/** The paths that were asked for, and those of them that were given up. */
const asked: (string | undefined)[] = [];
const left: (string | undefined)[] = [];
const server = createServer(({ url }, response) => {
  asked.push(url);
  response.on('close', () => response.writableFinished || left.push(url));
  if (url === '/half') response.write('hel');
  else if (url !== '/silent') response.end('hello');
});
const agent = new Agent({ keepAlive: true });
let address = '';
beforeAll(async () => {
  address = `http://127.0.0.1:${await listening(server)}`;
});
beforeEach(() => {
  asked.length = 0;
  left.length = 0;
});
afterAll(() => {
  agent.destroy();
  server.close();
});

async function ask(path: string, abort = new AbortController().signal, over = agent): Promise<string> {
  const limit = new TimeLimit(10_000, abort);
  try {
    return await text(await send(`${address}${path}`, { method: 'GET' }, over, limit.signal));
  } finally {
    limit.end();
  }
}

it('a request that is aborted is ended', async () => {
  const stopping = new AbortController();
  const answer = expect(ask('/silent', stopping.signal)).rejects.toThrow('the request was given up');
  await expect.poll(() => asked).toEqual(['/silent']);
  stopping.abort();
  await answer;
  await expect.poll(() => left).toEqual(['/silent']);
});

it('the rest of an answer is not waited for after an abort', async () => {
  const stopping = new AbortController();
  const limit = new TimeLimit(10_000, stopping.signal);
  try {
    const body = text(await send(`${address}/half`, { method: 'GET' }, agent, limit.signal));
    stopping.abort();
    await expect(body).rejects.toThrow('aborted');
    await expect.poll(() => left).toEqual(['/half']);
  } finally {
    limit.end();
  }
});

it('a request that is aborted before there is a connection is given up at once', async () => {
  const stopping = new AbortController();
  const never = Object.assign(new Agent(), { createConnection: () => undefined });
  const answer = expect(ask('/later', stopping.signal, never)).rejects.toThrow('the request was given up');
  stopping.abort();
  await answer;
});

it('a request that was aborted before is not sent, although a connection is open', async () => {
  expect(await ask('/before')).toBe('hello');
  await expect(ask('/unwanted', AbortSignal.abort())).rejects.toThrow('the request was given up');
  expect(await ask('/after')).toBe('hello');
  expect(asked).toEqual(['/before', '/after']);
});

async function* some() {
  yield 1;
  await new Promise(() => undefined);
}

describe('a time limit', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const { signal } = new AbortController();

  it('is over after its time', () => {
    const limit = new TimeLimit(100, signal);
    vi.advanceTimersByTime(99);
    expect(limit).toMatchObject({ isOver: false, signal: { aborted: false } });
    vi.advanceTimersByTime(1);
    expect(limit).toMatchObject({ isOver: true, signal: { aborted: true } });
  });

  it('does not run during work of our own, and begins anew after it', async () => {
    const limit = new TimeLimit(100, signal);
    vi.advanceTimersByTime(99);
    const parts = limit.pausedBetween(some());
    await parts.next();
    vi.advanceTimersByTime(10_000);
    void parts.next();
    await Promise.resolve();
    vi.advanceTimersByTime(99);
    expect(limit).toMatchObject({ isOver: false, signal: { aborted: false } });
    vi.advanceTimersByTime(1);
    expect(limit).toMatchObject({ isOver: true, signal: { aborted: true } });
  });

  it('ends, but is not over, when it is aborted', () => {
    const abort = new AbortController();
    const limit = new TimeLimit(100, abort.signal);
    abort.abort();
    expect(limit).toMatchObject({ isOver: false, signal: { aborted: true } });
  });

  it('stops nothing after its end, neither for its time nor for an abort', async () => {
    const abort = new AbortController();
    const limit = new TimeLimit(100, abort.signal);
    const parts = limit.pausedBetween(some());
    await parts.next();
    limit.end();
    void parts.return(undefined);
    vi.advanceTimersByTime(1_000);
    abort.abort();
    expect(limit).toMatchObject({ isOver: false, signal: { aborted: false } });
  });
});

/** Bytes that never end, and how many of them were taken. */
function endless() {
  const taken = { bytes: 0 };
  async function* bytes() {
    for (;;) {
      taken.bytes += 100_000;
      yield new Uint8Array(100_000);
    }
  }
  return { taken, bytes: bytes() };
}

it('an object is read whole, wherever its bytes are parted', async () => {
  const text = '{"name":"größe"}';
  expect(await readText(inChunks(text, 1), 200)).toBe(text);
});

it('an object without end is given up when it is larger than any', async () => {
  const { bytes, taken } = endless();
  await expect(readText(bytes, 200)).rejects.toMatchObject({ problem: { kind: 'TooLarge' } });
  expect(taken.bytes).toBeLessThan(bounds.object + 200_000);
});

it('of an explanation without end, only the beginning is read', async () => {
  const { bytes, taken } = endless();
  expect(await readText(bytes, 500)).toHaveLength(bounds.message);
  expect(taken.bytes).toBeLessThan(bounds.message + 200_000);
});
