import * as z from 'zod';
import { argumentOf, own, saysNo } from './annotations.ts';
import type { ContainerView, PodView } from './pod.ts';

const value = z
  .string()
  .optional()
  .describe('its value; if omitted, any but one that means no, such as false');

/** A sign in the pod itself: an annotation, an argument or an environment variable. */
export const sign = z
  .union([
    z.strictObject({
      annotation: z.string().describe('an annotation of the pod'),
      value,
    }),
    z.strictObject({
      argument: z.string().describe('an argument of the container, such as --quitquitquit'),
      value,
    }),
    z.strictObject({
      env: z.string().describe('an environment variable of the container'),
      value,
    }),
  ])
  .describe('an annotation, argument or environment variable that the pod may show');
export type Sign = z.output<typeof sign>;

type Shown = Pick<PodView, 'annotations'>;
type ShownBy = Pick<ContainerView, 'command' | 'args' | 'env'>;

/** Whether a pod shows a sign. A flag that is written out may be switched off: `--exit-zero-on-sigterm=false`. */
export function shows(wanted: Sign, pod: Shown, container: ShownBy): boolean {
  const found = signValue(wanted, pod, container);
  if (found === undefined) return false;
  if (wanted.value !== undefined) return found === wanted.value;
  // To most programs, an empty variable is none.
  return !saysNo(found) && !('env' in wanted && found === '');
}

/** A sign in words. */
export function describeSign(shown: Sign): string {
  const value = shown.value === undefined ? '' : `=${shown.value}`;
  if ('annotation' in shown) return `annotation ${shown.annotation}${value}`;
  if ('argument' in shown) return `argument ${shown.argument}${value}`;
  return `variable ${shown.env}${value}`;
}

function signValue(wanted: Sign, pod: Shown, container: ShownBy): string | undefined {
  if ('annotation' in wanted) return own(pod.annotations, wanted.annotation);
  if ('argument' in wanted) return argumentOf(container, wanted.argument);
  return own(container.env, wanted.env);
}

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
