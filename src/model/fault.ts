import { printable } from '../util/text.ts';

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

const beginning = 'internal error while ';

/** A fault in one line. */
export function describeFault({ doing, message }: Fault): string {
  return `${beginning}${doing}: ${message}`;
}

/** Whether a problem in a report is a fault. */
export function tellsOfFault(problem: string): boolean {
  return problem.startsWith(beginning);
}
