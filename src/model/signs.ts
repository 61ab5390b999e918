import * as z from 'zod';
import { isFalse, ownValue } from './annotations.ts';
import { bounds } from './bounds.ts';
import type { ContainerView, PodView } from './pod.ts';

type Annotated = Pick<PodView, 'annotations'>;
type Configured = Pick<ContainerView, 'command' | 'args' | 'env'>;

const value = z
  .string()
  .optional()
  .describe('its value; if omitted, any but one that means no, such as false');

/** A sign in the pod itself: an annotation, an argument or an environment variable. */
export const sign = z
  .union([
    z.strictObject({ annotation: z.string().describe('an annotation of the pod'), value }),
    z.strictObject({
      argument: z.string().describe('an argument of the container, such as --quitquitquit'),
      value,
    }),
    z.strictObject({ env: z.string().describe('an environment variable of the container'), value }),
  ])
  .describe('an annotation, argument or environment variable that the pod may show');
export type Sign = z.output<typeof sign>;

/** A flag may be switched off: `--exit-zero-on-sigterm=false`. `ifUnknown`: if a variable's value is not in the spec. */
export function shows(wanted: Sign, pod: Annotated, container: Configured, ifUnknown = false): boolean {
  const found = signValue(wanted, pod, container);
  if (found === undefined) return false;
  if (!('annotation' in wanted) && found.includes('$(')) return ifUnknown;
  if (wanted.value !== undefined) return found === wanted.value;
  // Most programs treat an empty variable as unset.
  return !isFalse(found) && !('env' in wanted && found === '');
}

function signValue(wanted: Sign, pod: Annotated, container: Configured): string | undefined {
  if ('annotation' in wanted) return ownValue(pod.annotations, wanted.annotation);
  if ('argument' in wanted) return argumentOf(container, wanted.argument);
  return expanded(ownValue(container.env, wanted.env), container);
}

function argumentOf(container: Configured, name: string): string | undefined {
  return expanded(writtenArgument(container, name), container);
}

/** A value in which the kubelet replaces references to variables: `$(NAME)`. */
function expanded(written: string | undefined, { env }: Configured): string | undefined {
  return written?.replace(/\$\((\w+)\)/g, (reference, variable) => ownValue(env, variable) ?? reference);
}

/** The value of `--name=value` or `--name value`; `true` for a flag without one. Only the first arguments are read. */
function writtenArgument({ command = [], args = [] }: Configured, name: string): string | undefined {
  const words = [...command.slice(0, bounds.arguments), ...args.slice(0, bounds.arguments)];
  for (const [index, word] of words.entries()) {
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    if (word !== name) continue;
    const next = words[index + 1];
    return next === undefined || next.startsWith('-') ? 'true' : next;
  }
  return undefined;
}

export function describeSign(shown: Sign): string {
  const value = shown.value === undefined ? '' : `=${shown.value}`;
  if ('annotation' in shown) return `annotation ${shown.annotation}${value}`;
  if ('argument' in shown) return `argument ${shown.argument}${value}`;
  return `variable ${shown.env}${value}`;
}

const portNumber = z.int().min(1).max(65_535);

/** The port of an endpoint: a number, or where in the pod to find it. */
export const port = z
  .union([
    portNumber,
    z.strictObject({
      annotation: z.string().optional().describe('an annotation of the pod'),
      argument: z.string().optional().describe('an argument of the container'),
      env: z.string().optional().describe('an environment variable of the container'),
      default: portNumber.optional().describe('the port if none of these shows it'),
    }),
  ])
  .describe('a number, or where in the pod to find it; "0" there means that the endpoint is off');
export type PortSpec = z.output<typeof port>;

export type Port =
  | { readonly kind: 'Port'; readonly port: number }
  | { readonly kind: 'Off'; readonly detail: string }
  | { readonly kind: 'Unknown'; readonly detail: string };

export function portOf(spec: PortSpec, pod: Annotated, container: Configured): Port {
  if (typeof spec === 'number') return { kind: 'Port', port: spec };
  const { annotation, argument, env, default: otherwise } = spec;
  const written =
    (annotation !== undefined ? ownValue(pod.annotations, annotation) : undefined) ??
    (argument !== undefined ? argumentOf(container, argument) : undefined) ??
    (env !== undefined ? expanded(ownValue(container.env, env), container) : undefined);
  if (written === undefined) {
    if (otherwise === undefined) return { kind: 'Unknown', detail: 'the pod does not set its port' };
    return { kind: 'Port', port: otherwise };
  }
  if (written === '0') return { kind: 'Off', detail: 'the pod sets its port to 0' };
  // A listen address may be host:port.
  const number = Number(/^(?:.*:)?(\d{1,5})$/.exec(written)?.[1]);
  if (number >= 1 && number <= 65_535) return { kind: 'Port', port: number };
  return { kind: 'Unknown', detail: `not a valid port: ${written}` };
}

/** Whether a known step looks for its port there. An annotation never counts: its author could name any port. */
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

export function describePort(spec: PortSpec): string {
  if (typeof spec === 'number') return String(spec);
  const from = spec.annotation ?? spec.argument ?? spec.env;
  return spec.default === undefined ? `(${from})` : String(spec.default);
}
