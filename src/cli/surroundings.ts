import type { StopReason } from '../model/outcome.ts';

/** The process as a command sees it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** What people type to run it, such as `kubectl sweep-sidecars`. */
  readonly program?: string;
  /** Calls back on the first SIGTERM, SIGINT or SIGHUP, and after an internal error. */
  onStop(callback: (reason: StopReason) => void): void;
}

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** A command whose flags have been parsed; resolves to its exit code. */
export type Run = (surroundings: Surroundings) => Promise<number>;
