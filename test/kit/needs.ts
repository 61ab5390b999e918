import { spawnSync } from 'node:child_process';
import { describe, it, type TestContext } from 'vitest';

/** Why a test that needs these programs cannot run; undefined if it can. `.ci/run` installs all of them. */
export function missingPrograms(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`;
}

/** Declares tests that are skipped if there is a reason; the title then includes it. */
export function describeUnless(reason: string | undefined, title: string, tests: () => void): void {
  describe.skipIf(reason !== undefined)(withReason(title, reason), tests);
}

/** Declares one test that is skipped if there is a reason. */
export function itUnless(
  reason: string | undefined,
  title: string,
  test: (context: TestContext) => void | Promise<void>,
): void {
  it.skipIf(reason !== undefined)(withReason(title, reason), test);
}

function withReason(title: string, reason: string | undefined): string {
  return reason === undefined ? title : `${title} (skipped: ${reason})`;
}
