import { policyFile, thePolicy } from '../policy/file.ts';
import { type Policy as Resolved, resolvePolicy } from '../policy/policy.ts';
import { check } from '../policy/problems.ts';
import { profile } from '../policy/profile.ts';
import { UsageError } from '../usage-error.ts';
import type { Profile } from './contract.ts';
import type { Policy } from './options.ts';

/** The policy that a library's user describes. Throws a UsageError. */
export function parsePolicy(written: Policy, includePending: boolean): Resolved {
  const whole = { apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', ...written };
  const parsed = check(policyFile, whole, thePolicy);
  if (parsed.kind === 'Valid')
    return resolvePolicy({ namespaces: [], lastResort: [], includePending }, parsed.data);
  throw new UsageError(`the policy: ${parsed.problems[0]?.message}`);
}

/** Throws a UsageError if it is no profile. */
export function checkProfile(written: Profile): void {
  const parsed = check(profile, written, { name: 'the profile', fields: Object.keys(profile.shape) });
  if (parsed.kind === 'Valid') return;
  throw new UsageError(`the profile ${written.name}: ${parsed.problems[0]?.message}`);
}
