import type { ExecResult, WriteResult } from '../ports.ts';
import type { AttemptResult } from '../vocabulary/attempt-result.ts';

/** What became of a write, as an attempt. */
export function toWriteAttempt(result: WriteResult): AttemptResult {
  switch (result.kind) {
    case 'Written':
      return { kind: 'Accepted' };
    case 'Conflict':
      return { kind: 'Undelivered', message: result.message };
    case 'Busy':
      return toBusy(result);
    case 'Rejected':
      return { kind: 'Unsupported', message: result.message };
    case 'Refused':
    case 'Undelivered':
    case 'Unconfirmed':
      return { kind: result.kind, message: result.message };
  }
}

/** A request that the API server wants to see later. */
export function toBusy({ message, retryAfter }: Extract<WriteResult, { kind: 'Busy' }>): AttemptResult {
  return { kind: 'Busy', message, ...(retryAfter !== undefined && { retryAfterMs: retryAfter }) };
}

/** A request that did not arrive, and does not later either where nobody upgrades connections. */
export function toUndelivered({
  kind,
  message,
  noUpgrade,
}: Extract<ExecResult, { kind: 'Undelivered' }>): AttemptResult {
  return { kind, message, ...(noUpgrade && { noUpgrade }) };
}
