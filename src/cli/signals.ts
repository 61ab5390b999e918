import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import type { StopReason } from '../model/outcome.ts';
import type { Millis } from '../util/time.ts';
import type { Io } from './io.ts';

/** One Ctrl-C may arrive twice: from the terminal, and forwarded by a parent such as npm. */
const onePress: Millis = 500;

/** How long the process may take to end after an error that was not caught. */
const timeToFail: Millis = 5_000;

let stop: ((reason: StopReason) => void) | undefined;

/**
 * The kernel does not end PID 1 of a container by a signal without a handler
 * (https://man7.org/linux/man-pages/man7/pid_namespaces.7.html). Under nohup, SIGHUP arrives too: Node resets ignored signals.
 */
export function handleSignals(): void {
  let first: number | undefined;
  process.once('SIGHUP', () => process.once('exit', closeTerminal));
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

/** The kernel and the shell each send a SIGHUP when a terminal is gone, the shell when it ends. */
function isAnother(signal: NodeJS.Signals, first: number): boolean {
  return signal !== 'SIGHUP' && performance.now() - first > onePress;
}

/** When it exits, Node restores the modes of open terminals, and aborts if one is gone (`ResetStdio` in its node.cc). */
function closeTerminal(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
    } catch {
      // It was closed before.
    }
  }
}

/** Only the first error is reported: others may follow from it. */
export function handleErrors(report: (error: unknown) => void): void {
  let isBroken = false;
  process.on('uncaughtException', (error) => {
    if (isBroken) return;
    isBroken = true;
    report(error);
    process.exitCode = 1;
    if (!stop) process.exit();
    setTimeout(() => process.exit(), timeToFail).unref();
    stop('InternalError');
  });
}

export function onStop(callback: (reason: StopReason) => void): void {
  stop = callback;
}

export type Stop = ReturnType<typeof createStop>;

/** Requests in flight are cut after 2 s, notes take 0.5 s more, the Lease is released within 1 s, and the report follows within 5 s in all. */
const timeToEnd: Millis = 2_700;
/** The rest of the 5 s is for the process to end. */
const timeToWrite: Millis = 4_000;

export function createStop(deadline: Millis | undefined, { onStop }: Pick<Io, 'onStop'>) {
  const stopping = new AbortController();
  const late = new AbortController();
  const over = new AbortController();
  let ending: NodeJS.Timeout | undefined;
  // Only the first reason counts.
  const now = (reason: StopReason) => {
    if (stopping.signal.aborted) return;
    ending = setTimeout(() => late.abort(), timeToEnd);
    setTimeout(() => over.abort(new Error('the sweep was stopped')), timeToWrite).unref();
    stopping.abort(reason);
  };
  const timer = deadline === undefined ? undefined : setTimeout(() => now('Deadline'), deadline);
  const clearDeadline = () => clearTimeout(timer);
  onStop(now);
  return {
    /** Aborted with the StopReason. */
    signal: stopping.signal,
    /** Aborted when requests under way have had their time after that: the report then says what is known. */
    late: late.signal,
    /** Aborted when output that is not written yet is given up, also after `clear`. */
    over: over.signal,
    now,
    /** The work is done: the deadline no longer stops it. */
    clearDeadline,
    clear() {
      clearDeadline();
      clearTimeout(ending);
    },
  };
}
