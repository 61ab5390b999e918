import type { Profile } from './contract.ts';
import { checkProfile } from './parse.ts';

/** Defines a known sidecar. Throws a UsageError that names the field if it is no profile. */
export function defineProfile(profile: Profile): Profile {
  checkProfile(profile);
  return profile;
}
