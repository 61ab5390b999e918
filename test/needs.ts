import { spawnSync } from 'node:child_process';

/**
 * Why a test that needs these programs cannot run here; undefined when it can. `.ci/run` installs them all and
 * lets nothing be skipped.
 */
export function missingPrograms(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  return skipReason(missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`);
}

/** The reason, unless nothing may be skipped. */
export function skipReason(reason: string | undefined): string | undefined {
  if (reason !== undefined && process.env['NOTHING_SKIPPED'] === '1') throw new Error(reason);
  return reason;
}
