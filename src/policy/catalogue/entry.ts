import type { Profile, ProfileInput } from '../profile.ts';

/**
 * A known sidecar, and how to end it. Name and image must both match, because a main container may also be
 * called `vault-agent`. The gentlest step comes first. An exit code is given only if the source code or the
 * documentation of the sidecar states it. Policy files use the same format, without the cures and what is known of
 * databases.
 */
export type Entry = ProfileInput & Pick<Profile, 'cure' | 'database'>;
