import { setImmediate } from 'node:timers/promises';
import { UsageError } from '../../src/util/usage-error.ts';

/** Shows a demo, then calls `stop`, whatever ended it. */
export async function demonstrate(
  show: (ctrlC: Promise<void>) => Promise<void>,
  stop: () => Promise<void>,
): Promise<void> {
  // A reader that has seen enough, like `head`, does not stop it.
  process.stdout.on('error', () => undefined);
  const ctrlC = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const isEarly = await Promise.race([
    show(ctrlC).then(() => false),
    // What only waited for Ctrl-C has reached its end by then.
    ctrlC.then(() => setImmediate(true)),
  ]).finally(stop);
  if (isEarly) process.exit(130);
}

/** The value, or the end of the program with one line that says what is wrong. */
export function orEnd<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`demo: ${error.message}`);
    process.exit(2);
  }
}
