import type { Write } from './admission.ts';
import { enforcePodSecurity } from './pod-security.ts';
import { enforcePolicies } from './policies.ts';

/** Validating admission, in the server's order, after validation and before the store. Refuses by throwing. */
export function admit(write: Write): void {
  enforcePodSecurity(write);
  enforcePolicies(write);
}
