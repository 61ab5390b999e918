/**
 * The types of the JSON contract. Those that are published are generated from the schemas, so that they need no other package
 * and say of every field what it means.
 */
import type * as z from 'zod';
import type { StepInput } from '../methods/index.ts';
import type { Sign as SignOutput } from '../pod/signs.ts';
import type { policyFile } from '../policy/file.ts';
import type { ProfileInput } from '../policy/profile.ts';

export type { PodReport, SweepReport } from '../report/schema.ts';
export type { AttemptResult } from '../vocabulary/attempt-result.ts';
export type { ContainerOutcome } from '../vocabulary/container-outcome.ts';
export type { StopReason } from '../vocabulary/not-attempted-reason.ts';
export type { PodOutcome } from '../vocabulary/pod-outcome.ts';
export type { Warning } from '../vocabulary/warning.ts';
export type SweepPolicy = z.input<typeof policyFile>;
export type Profile = ProfileInput;
export type StepSpec = StepInput;
export type Sign = SignOutput;
