import type { Attempt } from '../events.ts';

/** Whether the effect of an attempt is worth waiting for. */
export function mayHaveWorked({ result }: Attempt): boolean {
  switch (result.kind) {
    case 'Accepted':
    case 'Failed':
    case 'Unconfirmed':
      return true;
    case 'Refused':
    case 'NoSuchProgram':
    case 'Unsupported':
    case 'Immune':
    case 'Held':
    case 'NotThere':
    case 'Busy':
    case 'Undelivered':
      return false;
  }
}
