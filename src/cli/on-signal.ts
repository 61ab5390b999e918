import { constants } from 'node:os';

/** One Ctrl-C may arrive twice: from the terminal, and forwarded by a parent such as npm. In milliseconds. */
const onePress = 500;

/** Calls back on the first SIGTERM or SIGINT. A second one ends the process without a report. */
export function onSignal(callback: () => void): void {
  let first: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (first === undefined) {
        first = performance.now();
        callback();
      } else if (performance.now() - first > onePress) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
}
