/** The defaults, which flags and policies override. Times are in milliseconds. */
export const defaults = {
  /** How long ago the last main must have ended. */
  minAge: 300_000,
  /** Which kill commands in annotations are run. */
  annotationCommands: 'allowlist',
  /** What to do if a sidecar may exit uncleanly and finished work would run again. */
  uncleanExit: 'canary',
  /** How many requests may be in flight. */
  concurrency: 20,
  /** How long one request may take. */
  requestTimeout: 30_000,
} as const;
