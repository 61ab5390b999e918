/**
 * The types of the documents that are read and written. Those that are published are generated from the schemas, so that they
 * need no other package and say of every field what it means.
 */
import type * as z from 'zod';
import type { policyFile } from '../policy/file.ts';
import type { ProfileInput } from '../policy/profile.ts';

export type { PodReport, SweepReport } from '../report/schema.ts';
export type SweepPolicy = z.input<typeof policyFile>;
export type Profile = ProfileInput;
