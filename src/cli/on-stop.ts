import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import type { StopReason } from '../model/outcome.ts';
import type { Millis } from '../util/time.ts';

/** One Ctrl-C may arrive twice: from the terminal, and forwarded by a parent such as npm. */
const onePress: Millis = 500;

/** The work may wait for what an error has left undone. */
const timeToEnd: Millis = 5_000;

let stop: ((reason: StopReason) => void) | undefined;

/**
 * Takes over from the kernel the signals that ask for an end: it does not end PID 1 of a container by a signal without a handler
 * (https://man7.org/linux/man-pages/man7/pid_namespaces.7.html). SIGHUP tells that the terminal is gone; under nohup as well,
 * because Node resets the signals that it was told to ignore before any program could see them. Until there is work to stop,
 * they end the process.
 */
export function hearSignals(): void {
  let first: number | undefined;
  process.once('SIGHUP', () => process.once('exit', leaveTerminal));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stop && first === undefined) {
        first = performance.now();
        stop('Signal');
      } else if (first === undefined || isAnother(signal, first)) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
}

/** The kernel and the shell each tell of a terminal that is gone, the shell when it ends: nobody has lost patience. */
function isAnother(signal: NodeJS.Signals, first: number): boolean {
  return signal !== 'SIGHUP' && performance.now() - first > onePress;
}

/**
 * At the end, Node restores the modes of terminals, and aborts if one is gone (`ResetStdio` in its node.cc). It leaves alone what
 * is closed.
 */
function leaveTerminal(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
    } catch {
      // It was closed before.
    }
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
