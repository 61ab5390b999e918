import { ownPolicy, thePolicy } from '../policy/file.ts';
import { type Policy, resolvePolicy } from '../policy/policy.ts';
import { describeIssue } from '../policy/problems.ts';
import { ownProfile } from '../policy/profile.ts';
import { UsageError } from '../usage-error.ts';
import type { OwnPolicy, OwnProfile } from './options.ts';

/** The policy that a library's user describes. Throws a UsageError. */
export function parsePolicy(written: OwnPolicy, includePending: boolean): Policy {
  const parsed = ownPolicy.safeParse({
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'SweepPolicy',
    ...written,
  });
  if (parsed.success) return resolvePolicy({ namespaces: [], lastResort: [], includePending }, parsed.data);
  const [first] = parsed.error.issues.flatMap((issue) => describeIssue(issue, thePolicy));
  throw new UsageError(`the policy: ${first?.message}`);
}

/** Throws a UsageError if it is no profile. */
export function checkProfile(written: OwnProfile): void {
  const parsed = ownProfile.safeParse(written);
  if (parsed.success) return;
  const [first] = parsed.error.issues.flatMap((issue) =>
    describeIssue(issue, { name: 'the profile', fields: Object.keys(ownProfile.shape) }),
  );
  throw new UsageError(`the profile ${written.name}: ${first?.message}`);
}
