import * as z from 'zod';
import type { AttemptResult } from '../model/outcome.ts';
import type { ContainerView } from '../model/pod.ts';
import type { Warning } from '../model/warning.ts';
import { command } from './command.ts';
import { deadline, deletion, evict } from './end-pod.ts';
import { ephemeralContainer } from './ephemeral-container.ts';
import { http } from './http.ts';
import { imageSwap } from './image-swap.ts';
import type { Allowlist, Method, Recipient, StepCommon, Subject, Unfitness } from './method.ts';
import type { RbacRule } from './permissions.ts';
import { signal } from './signal.ts';
import { tombstone } from './tombstone.ts';

/** Every way to end a sidecar. All that follows is derived from this array. */
export const methods = [
  command,
  http,
  signal,
  tombstone,
  imageSwap,
  ephemeralContainer,
  deadline,
  evict,
  deletion,
] as const;

type AnyMethod = (typeof methods)[number];

export type MethodName = AnyMethod['name'];
/** A parsed step of a policy, a profile or an annotation. */
export type StepSpec = z.output<AnyMethod['written']>;
/** One request and how long to wait for its effect; plain data. */
export type Step = ReturnType<AnyMethod['toSteps']>[number];

/** What a policy, a profile or an annotation may write. */
export const stepSpec = z
  .union(methods.map(({ written }) => written))
  .describe('a way to end a sidecar, and what is known of it; docs/how-it-works.md explains each');
/** What an annotation may ask for. */
export const stepList = z.array(stepSpec).min(1).max(16);

type SpecOf<N extends MethodName> = Extract<StepSpec, { readonly method: N }>;
type StepOf<N extends MethodName> = Extract<Step, { readonly method: N }>;
/** A method whose type parameters are hidden: a step is only ever passed to the method that it names. */
type MethodOf<N extends MethodName> = Omit<
  Method<N, z.ZodType<SpecOf<N>>, StepOf<N> & StepCommon>,
  'written' | 'fromFlag'
>;

type Named = { readonly [N in MethodName]: Extract<AnyMethod, { readonly name: N }> };

const byName: { readonly [N in MethodName]: MethodOf<N> } = Object.fromEntries(
  methods.map((method) => [method.name, method]),
) as Named;

function methodOf<N extends MethodName>({ method }: { readonly method: N }): MethodOf<N> {
  return byName[method];
}

type MethodProperties = Pick<
  Method<MethodName, z.ZodType<StepSpec>, Step>,
  'name' | 'flag' | 'ends' | 'rbac' | 'price'
>;

/** The properties of a method that do not depend on the step. */
export function methodNamed(name: MethodName): MethodProperties {
  return byName[name];
}

/** Whether a step of the method of this name ends the whole pod; a report may have names of a later version. */
export function endsPod(name: string): boolean {
  return methods.some((method) => method.name === name && method.ends === 'Pod');
}

/** The least that the account must be allowed to do to take a step. */
export function rbacOf(of: StepSpec | Step): readonly RbacRule[] {
  return methodNamed(of.method).rbac;
}

export function whyUnfit(spec: StepSpec, of: Subject): Unfitness | undefined {
  return methodOf(spec).whyUnfit(spec, of);
}

export function isAdmitted(spec: StepSpec, allowlist: Allowlist<StepSpec>): boolean {
  const known = allowlist.known.filter(({ method }) => method === spec.method);
  return methodOf(spec).isAdmitted(spec, { ...allowlist, known });
}

export function toSteps(spec: StepSpec, common: StepCommon, of: Subject): readonly Step[] {
  return methodOf(spec).toSteps(spec, common, of);
}

export function doubtOf(step: Step, container: ContainerView): Warning | undefined {
  return methodOf(step).doubt?.(step, container);
}

export function newImageOf(step: Step): string | undefined {
  return methodOf(step).newImage?.(step);
}

export function describeSpec(spec: StepSpec): string {
  return methodOf(spec).describeSpec(spec);
}

export function describeStep(step: Step): string {
  return methodOf(step).describe(step);
}

export function sendStep(step: Step, to: Recipient): Promise<AttemptResult> {
  return methodOf(step).send(step, to);
}
