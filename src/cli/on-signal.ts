import { constants } from 'node:os';

/** One Ctrl-C may arrive twice: from the terminal, and forwarded by a parent such as npm. In milliseconds. */
const onePress = 500;

let stop: (() => void) | undefined;

/**
 * Takes SIGTERM and SIGINT over from the kernel, which does not end PID 1 of a container by a signal without
 * a handler: https://man7.org/linux/man-pages/man7/pid_namespaces.7.html. Until there is work to stop, they
 * end the process.
 */
export function hearSignals(): void {
  let first: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stop && first === undefined) {
        first = performance.now();
        stop();
      } else if (first === undefined || performance.now() - first > onePress) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
}

/** Calls back on the first SIGTERM or SIGINT. A second one ends the process without a report. */
export function onSignal(callback: () => void): void {
  stop = callback;
}
