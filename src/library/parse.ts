import { ownPolicy, thePolicy } from '../policy/file.ts';
import { type Policy, resolvePolicy } from '../policy/policy.ts';
import { check } from '../policy/problems.ts';
import { ownProfile } from '../policy/profile.ts';
import { UsageError } from '../usage-error.ts';
import type { OwnPolicy, OwnProfile } from './options.ts';

/** The policy that a library's user describes. Throws a UsageError. */
export function parsePolicy(written: OwnPolicy, includePending: boolean): Policy {
  const whole = { apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', ...written };
  const parsed = check(ownPolicy, whole, thePolicy);
  if (parsed.kind === 'Valid')
    return resolvePolicy({ namespaces: [], lastResort: [], includePending }, parsed.data);
  throw new UsageError(`the policy: ${parsed.problems[0]?.message}`);
}

/** Throws a UsageError if it is no profile. */
export function checkProfile(written: OwnProfile): void {
  const parsed = check(ownProfile, written, { name: 'the profile', fields: Object.keys(ownProfile.shape) });
  if (parsed.kind === 'Valid') return;
  throw new UsageError(`the profile ${written.name}: ${parsed.problems[0]?.message}`);
}
