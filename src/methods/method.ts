import * as z from 'zod';
import type { AttemptResult } from '../model/outcome.ts';
import type { ContainerView, PodRef, PodView } from '../model/pod.ts';
import type { Cluster, IsStill } from '../model/ports.ts';
import { sign } from '../model/signs.ts';
import type { StepSource, Unfit } from '../model/step.ts';
import { longestTimer, type Millis, parseDuration } from '../util/time.ts';
import type { RbacRule } from './permissions.ts';

/** One way to end sidecars, and everything that is known about it. */
export interface Method<Name extends string, Written extends z.ZodType<SpecCommon>, S extends StepCommon> {
  readonly name: Name;
  /** The reach of one request: one container, every remaining sidecar of the pod, or the whole pod. */
  readonly ends: 'Container' | 'Sidecars' | 'Pod';
  /** The least that the account must be allowed to do. */
  readonly rbac: readonly RbacRule[];
  /** How a step is written in a policy, a profile or an annotation. */
  readonly written: Written;
  /** Why the pod itself shows that the step cannot work. */
  whyUnfit(spec: z.output<Written>, of: Subject): Unfitness | undefined;
  /** Whether a pod's annotation may ask for it where annotation commands are limited to the allowlist. */
  isAdmitted(spec: z.output<Written>, allowlist: Allowlist<z.output<Written>>): boolean;
  toSteps(spec: z.output<Written>, common: StepCommon, of: Subject): readonly S[];
  describeSpec(spec: z.output<Written>): string;
  describe(step: S): string;
  /** Sends the step; the result is that of the request, never of the container. */
  send(step: S, to: Recipient): Promise<AttemptResult>;
}

/** The form that annotations may write. */
interface Allowlist<Spec> {
  /** Commands, word by word. */
  readonly patterns: readonly (readonly string[])[];
  /** The steps of this method that the catalogue and the policy have. */
  readonly known: readonly Spec[];
}

/** The container that steps are for, and its pod. */
export interface Subject {
  readonly pod: PodView;
  readonly container: ContainerView;
  /** The operating system and architecture of its node; undefined if the node was not read. */
  readonly platform?: string | undefined;
}

export type Unfitness = Pick<Unfit, 'reason' | 'detail'>;

export interface Recipient {
  readonly cluster: Cluster;
  readonly pod: PodRef;
  /** Exactly one for a method that ends one container. */
  readonly containers: readonly [string, ...string[]];
  /** Whether the step should still be sent, for a method that reads the pod once more. */
  readonly isStill: IsStill;
  readonly abort: AbortSignal;
}

export interface StepCommon {
  /** How long the sidecar may take to end. */
  readonly grace: Millis;
  /** The code that the container ends with; undefined if that is not known. */
  readonly exitCode: number | undefined;
  readonly source: StepSource;
  /** Why that code is not known, and what to do about it, where the method can tell. */
  readonly whyUnknown?: string;
  /** The sidecars that it is for, if it is a step for the pod but not for all of them. */
  readonly only?: readonly string[];
  /** Who says that it ends the container with 0; undefined if that is not said. */
  readonly promisedBy?: Promiser;
}

/** NoopImage: the image has the program; Owner: the pod's annotation; Policy: a rule; Profile: the catalogue or the policy. */
export type Promiser = 'NoopImage' | 'Owner' | 'Policy' | 'Profile';

const writeDuration = 'write a duration such as 90s, 5m or 1h30m';

export const duration = z
  .string(writeDuration)
  .refine((text) => parseDuration(text) !== undefined, writeDuration)
  .transform((text) => parseDuration(text) ?? 0)
  .describe('a duration such as 90s, 5m or 1h30m');

/** A duration that Node's timers support. */
export const timer = duration.refine(
  (time) => time > 0 && time <= longestTimer,
  'write a duration from 1ms to 24d',
);

export const specCommon = {
  exitCode: z
    .int()
    .min(0)
    .max(255)
    .optional()
    .describe('the code with which the sidecar then ends; left out if it is not known'),
  grace: duration
    .optional()
    .describe("how long it may take, such as 30s; the pod's own grace period, if left out, but 2s at least"),
  when: z.array(sign).min(1).optional().describe('only if the pod shows one of these'),
  unless: z.array(sign).min(1).optional().describe('not if the pod shows one of these'),
};
const common = z.object(specCommon);
export type SpecCommon = z.output<typeof common>;

/** How a step of a method is written: its own fields, and those of every step. */
export function writtenStep<const Name extends string, Fields extends z.ZodRawShape>(
  method: Name,
  fields: Fields,
) {
  return z.strictObject({ ...fields, ...specCommon }).transform((spec) => ({ method, ...spec }));
}

/** Checks a method's parts against each other and keeps their exact types. */
export function defineMethod<
  const Name extends string,
  Written extends z.ZodType<SpecCommon>,
  S extends StepCommon & { readonly method: Name },
>(method: Method<Name, Written, S>): Method<Name, Written, S> {
  return method;
}

/** How long the kubelet takes to end containers from outside: grace, KILL, an image to pull, a container to start. */
const timeToEndOutside: Millis = 15_000;

/** The common fields of a step that the kubelet carries out. */
export function fromOutside({ grace, ...step }: StepCommon): StepCommon {
  return { ...step, grace: grace + timeToEndOutside };
}
