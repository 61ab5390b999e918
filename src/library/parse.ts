import { policyFile } from '../policy/file.ts';
import { type Policy, resolvePolicy } from '../policy/policy.ts';
import { describeIssue } from '../policy/problems.ts';
import { ownProfile, type Profile } from '../policy/profile.ts';
import { UsageError } from '../usage-error.ts';
import type { OwnProfile, PlanOptions } from './options.ts';

/** The policy that a library's user describes. Throws a UsageError. */
export function parsePolicy({ policy: written = {}, profiles = [], includePending }: PlanOptions): Policy {
  const parsed = policyFile.safeParse({
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'SweepPolicy',
    ...written,
  });
  if (!parsed.success) {
    const [first] = parsed.error.issues.flatMap((issue) => describeIssue(issue, 'the policy'));
    throw new UsageError(`the policy: ${first?.message}`);
  }
  const policy = resolvePolicy({ namespaces: [], lastResort: [], includePending }, parsed.data);
  const own = profiles.map(parseProfile);
  const replaced = new Set(own.map(({ name }) => name));
  return { ...policy, catalogue: [...own, ...policy.catalogue.filter(({ name }) => !replaced.has(name))] };
}

/** A profile with its own methods' steps. Throws a UsageError. */
export function parseProfile(written: OwnProfile): Profile {
  const parsed = ownProfile.safeParse(written);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues.flatMap((issue) => describeIssue(issue, 'the profile'));
  throw new UsageError(`the profile ${written.name}: ${first?.message}`);
}
