import type { AttemptResult } from '../vocabulary/attempt-result.ts';

/** Whether an attempt may have told the container to end. */
export function mayHaveWorked({ result }: { readonly result: AttemptResult }): boolean {
  switch (result.kind) {
    case 'Accepted':
    case 'Failed':
    case 'Unconfirmed':
      return true;
    case 'NotThere':
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
