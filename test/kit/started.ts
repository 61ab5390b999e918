import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

interface Stoppable {
  stop(): void | Promise<void>;
}

/** What the tests of a file or a `describe` share, such as a cluster: started before the first of them. */
export function startedOnce<T extends Stoppable>(start: () => Promise<T>): T {
  return started(start, beforeAll, afterAll);
}

/** What each of the tests has for itself. */
export function startedForEach<T extends Stoppable>(start: () => Promise<T>): T {
  return started(start, beforeEach, afterEach);
}

function started<T extends Stoppable>(
  start: () => Promise<T>,
  before: typeof beforeAll,
  after: typeof afterAll,
): T {
  let running: T | undefined;
  before(async () => {
    running = await start();
  });
  after(async () => {
    await running?.stop();
    running = undefined;
  });
  // Its fields are those of what has been started by the time a test uses them.
  return new Proxy({} as T, {
    get(_target, name) {
      if (!running) throw new Error(`${String(name)} was used before it was started`);
      const member: unknown = Reflect.get(running, name, running);
      return typeof member === 'function' ? member.bind(running) : member;
    },
    set(_target, name, value) {
      return running !== undefined && Reflect.set(running, name, value, running);
    },
  });
}

/** A folder for the tests of a file, which is removed after the last of them. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `sidecar-sweeper-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file, whose path it returns. */
export function fileIn(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
