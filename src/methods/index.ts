import * as z from 'zod';
import { command } from './command.ts';
import { deadline, deletion, evict } from './end-pod.ts';
import { ephemeralContainer } from './ephemeral-container.ts';
import { http } from './http.ts';
import { imageSwap } from './image-swap.ts';
import type { Method } from './method.ts';
import type { RbacRule } from './permissions.ts';
import { signal } from './signal.ts';

/** Every way to end a sidecar. All that follows is derived from this array. */
export const methods = [
  command,
  http,
  signal,
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

export const stepSpec = z
  .union(methods.map(({ written }) => written))
  .describe('a way to end a sidecar, and what is known of it; docs/how-it-works.md explains each');
/** A step as an annotation may write it. */
export const stepList = z.array(stepSpec).min(1).max(16);

/** A method whose type parameters are hidden: a step is only ever passed to the method that it names. */
type HiddenMethod = Method<MethodName, z.ZodType<StepSpec>, Step>;

const byName = Object.fromEntries(methods.map((method) => [method.name, method])) as unknown as Readonly<
  Record<MethodName, HiddenMethod>
>;

export function methodNamed(name: MethodName): HiddenMethod {
  return byName[name];
}

/** The name of a method on the command line and in the manifests: `image-swap`. */
export function flagOf(name: MethodName): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/** Whether a step of the method of this name ends the whole pod; a report may have names of a later version. */
export function endsPod(name: string): boolean {
  return methods.some((method) => method.name === name && method.ends === 'Pod');
}

export function rbacOf({ method }: StepSpec | Step): readonly RbacRule[] {
  return methodNamed(method).rbac;
}

/** The image that the container runs after the step, if the step changes it. */
export function newImageOf(step: Step): string | undefined {
  return step.method === 'ImageSwap' ? step.image : undefined;
}

export function describeSpec(spec: StepSpec): string {
  return methodNamed(spec.method).describeSpec(spec);
}

export function describeStep(step: Step): string {
  return methodNamed(step.method).describe(step);
}
