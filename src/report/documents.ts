import type * as z from 'zod';
import type { policyFile } from '../policy/policy-file.ts';
import type { ProfileInput } from '../policy/profile.ts';

/** Their declarations are generated from the schemas, so that the published types need no other package. */
export type { PodReport, SweepReport } from './schema.ts';
export type SweepPolicy = z.input<typeof policyFile>;
export type Profile = ProfileInput;
