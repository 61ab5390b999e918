import type { Step } from '../methods/index.ts';

/** The exit code of a container that KILL ended. */
const killed = 137;

/**
 * What comes before a KILL: the last of the earlier steps that uses the same method. If that one is held, the sidecar has not been
 * asked to end, and must not be killed either, even where nobody minds the exit code.
 */
export function gentlerThan<T extends { readonly step: Pick<Step, 'method'> }>(
  { method, exitCode }: Pick<Step, 'method' | 'exitCode'>,
  before: readonly T[],
): T | undefined {
  return exitCode === killed ? before.findLast(({ step }) => step.method === method) : undefined;
}
