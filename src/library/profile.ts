import type { OwnProfile } from './options.ts';
import { checkProfile } from './parse.ts';

/** Defines a known sidecar. Throws a UsageError that names the field if it is no profile. */
export function defineProfile(profile: OwnProfile): OwnProfile {
  checkProfile(profile);
  return profile;
}
