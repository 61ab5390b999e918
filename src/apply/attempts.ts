import type { Attempt } from '../events.ts';

/** Whether the effect of an attempt is worth waiting for. */
export function mayHaveWorked(attempt: Attempt): boolean {
  switch (attempt.result.kind) {
    case 'Accepted':
    case 'Unconfirmed':
      return true;
    case 'Refused':
    case 'NoSuchProgram':
    case 'Unsupported':
    case 'Immune':
    case 'Held':
    case 'Busy':
    case 'Undelivered':
      return false;
  }
}
