import * as z from 'zod';
import { argumentOf, own } from './annotations.ts';
import type { ContainerView, PodView } from './pod.ts';

/** The port of an endpoint: a number, or where in the pod to find it. */
export const port = z
  .union([
    z.int().min(1).max(65_535),
    z.strictObject({
      annotation: z.string().optional().describe('an annotation of the pod'),
      argument: z.string().optional().describe('an argument of the container'),
      env: z.string().optional().describe('an environment variable of the container'),
      default: z.int().min(1).max(65_535).optional().describe('the port if none of these shows it'),
    }),
  ])
  .describe('a number, or where in the pod to find it; "0" there means that the endpoint is off');
export type PortSpec = z.output<typeof port>;

/** The port of an endpoint in one pod. */
export type Port =
  | { readonly kind: 'Port'; readonly port: number }
  | { readonly kind: 'Off'; readonly detail: string }
  | { readonly kind: 'Unknown'; readonly detail: string };

export function portOf(spec: PortSpec, pod: PodView, container: ContainerView): Port {
  if (typeof spec === 'number') return { kind: 'Port', port: spec };
  const said =
    (spec.annotation !== undefined ? own(pod.annotations, spec.annotation) : undefined) ??
    (spec.argument !== undefined ? argumentOf(container, spec.argument) : undefined) ??
    (spec.env !== undefined ? own(container.env, spec.env) : undefined);
  if (said === '0') return { kind: 'Off', detail: 'the pod sets its port to 0' };
  // A listen address may be host:port.
  const digits = said === undefined ? undefined : /^(?:.*:)?(\d{1,5})$/.exec(said)?.[1];
  const number = digits === undefined ? undefined : Number(digits);
  if (number !== undefined && number >= 1 && number <= 65_535) return { kind: 'Port', port: number };
  if (said !== undefined) return { kind: 'Unknown', detail: `not a valid port: ${said}` };
  if (spec.default !== undefined) return { kind: 'Port', port: spec.default };
  return { kind: 'Unknown', detail: 'the pod does not set its port' };
}

/**
 * Whether a port is one that a known step has, found where that step looks for it. In an annotation it may not be: who
 * writes one names any port.
 */
export function isNamedBy(asked: PortSpec, known: PortSpec): boolean {
  if (typeof known === 'number') return asked === known;
  if (typeof asked === 'number') return asked === known.default;
  const { annotation, argument, env, default: otherwise } = asked;
  return (
    annotation === undefined &&
    (argument === undefined || argument === known.argument) &&
    (env === undefined || env === known.env) &&
    (otherwise === undefined || otherwise === known.default)
  );
}

/** A port in words. */
export function describePort(spec: PortSpec): string {
  if (typeof spec === 'number') return String(spec);
  const from = spec.annotation ?? spec.argument ?? spec.env;
  return spec.default === undefined ? `(${from})` : String(spec.default);
}
