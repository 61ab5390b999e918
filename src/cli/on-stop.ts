import { constants } from 'node:os';
import type { Millis } from '../duration.ts';
import type { StopReason } from '../vocabulary.ts';

/** One Ctrl-C may arrive twice: from the terminal, and forwarded by a parent such as npm. */
const onePress: Millis = 500;

/** The work may wait for what an error has left undone. */
const timeToEnd: Millis = 5_000;

let stop: ((reason: StopReason) => void) | undefined;

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
        stop('Signal');
      } else if (first === undefined || performance.now() - first > onePress) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
}

/**
 * Errors that nobody expected, and rejections that nobody handles. What they leave undone is unknown, so the work stops, and the
 * process ends with 1. Only the first is told: others may follow from it.
 */
export function hearErrors(tell: (error: unknown) => void): void {
  let isBroken = false;
  process.on('uncaughtException', (error) => {
    if (isBroken) return;
    isBroken = true;
    tell(error);
    process.exitCode = 1;
    if (!stop) process.exit();
    setTimeout(() => process.exit(), timeToEnd).unref();
    stop('InternalError');
  });
}

/** Calls back when the work is to stop. A second signal ends the process without a report. */
export function onStop(callback: (reason: StopReason) => void): void {
  stop = callback;
}
