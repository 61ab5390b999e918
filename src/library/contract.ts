/**
 * The types of the JSON contract. Those that are published are generated from the schemas, so that they need no other package
 * and say of every field what it means.
 */
import type * as z from 'zod';
import type { StepInput } from '../methods/index.ts';
import type { Sign as SignOutput } from '../model/signs.ts';
import type { policyFile } from '../policy/file.ts';
import type { ProfileInput } from '../policy/profile.ts';

export type { AttemptResult, ContainerOutcome, PodOutcome, StopReason } from '../model/outcome.ts';
export type { Warning } from '../model/warning.ts';
export type { PodReport, SweepReport } from '../report/schema.ts';
export type SweepPolicy = z.input<typeof policyFile>;
export type Profile = ProfileInput;
export type StepSpec = StepInput;
export type Sign = SignOutput;
