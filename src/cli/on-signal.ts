import { constants } from 'node:os';

/** One Ctrl-C may come twice: from the terminal, and passed on by a parent such as npm. */
const onePress = 500;

/** Calls back for the first SIGTERM or SIGINT. A second one does not wait for the report. */
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
