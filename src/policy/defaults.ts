/** The defaults, which flags and policies override. Times are in milliseconds. */
export const defaults = {
  /** How long ago the last main must have ended. */
  minAge: 300_000,
  /** Which kill commands in annotations are run. */
  annotationCommands: 'allowlist',
  /** What to do if a sidecar may exit uncleanly and finished work would run again. */
  uncleanExit: 'forbid',
  /** If a sweep would act on more pods than this, nothing is sent. */
  brakePods: 1_000,
  /** The same in percent of the pods listed: between two nights, all that still run may well be stuck. */
  brakeShare: 100,
  /** How many of the last lines of a sidecar's log are kept before its image is swapped. */
  keepLogs: 0,
  /** The most that can be asked for: the report has them for each sidecar. */
  mostKeptLines: 500,
  /** How long a sweep waits for one pod, in all its steps: fits into the --deadline of the manifests, 8 minutes. */
  maxGrace: 360_000,
  /** How many requests may be in flight. */
  concurrency: 20,
  /** How long one request may take. */
  requestTimeout: 30_000,
} as const;
