import { spawnSync } from 'node:child_process';
import { describe, it, type TestContext, type TestOptions } from 'vitest';

/** Why a test that needs these programs cannot run here; undefined when it can. `.ci/run` installs them all. */
export function missingPrograms(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`;
}

/** Tests that not every machine can run: skipped where there is a reason to, and then the title says which. */
export function describeUnless(
  reason: string | undefined,
  title: string,
  tests: () => void,
  options: TestOptions = {},
): void {
  describe.skipIf(reason !== undefined)(withReason(title, reason), options, tests);
}

/** One such test. */
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
