import { printable } from './printable.ts';

/** An error that nobody expected: a defect of this program, or of what its user plugged into it. */
export interface Fault {
  /** What was being done, as in "internal error while judging demo/work". */
  readonly doing: string;
  readonly message: string;
  readonly stack: string | undefined;
}

export function faultOf(doing: string, error: unknown): Fault {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { doing, message: printable(message), stack: error instanceof Error ? error.stack : undefined };
}

/** A fault in one line. */
export function describeFault({ doing, message }: Fault): string {
  return `internal error while ${doing}: ${message}`;
}
