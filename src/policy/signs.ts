import type { ContainerView, PodView } from '../vocabulary.ts';
import type { PortSpec, Sign } from './steps.ts';

/** Whether a pod shows something by itself: an annotation, an argument or a variable. */
export function shows(sign: Sign, pod: PodView, container: ContainerView): boolean {
  const found = signValue(sign, pod, container);
  return found !== undefined && (sign.value === undefined || found === sign.value);
}

/** A sign in words. */
export function describeSign(sign: Sign): string {
  const value = sign.value === undefined ? '' : `=${sign.value}`;
  if ('annotation' in sign) return `annotation ${sign.annotation}${value}`;
  if ('argument' in sign) return `argument ${sign.argument}${value}`;
  return `variable ${sign.env}${value}`;
}

function signValue(sign: Sign, pod: PodView, container: ContainerView): string | undefined {
  if ('annotation' in sign) return own(pod.annotations, sign.annotation);
  if ('argument' in sign) return argument(container, sign.argument);
  return own(container.env, sign.env);
}

/** A value under a key that comes from outside; never something inherited from Object.prototype. */
function own(values: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

export type Port =
  | { readonly kind: 'Port'; readonly port: number }
  | { readonly kind: 'Off'; readonly detail: string }
  | { readonly kind: 'Untold'; readonly detail: string };

/** The port of an endpoint: fixed, or where the pod tells it. */
export function portOf(spec: PortSpec, pod: PodView, container: ContainerView): Port {
  if (typeof spec === 'number') return { kind: 'Port', port: spec };
  const told =
    (spec.annotation !== undefined ? own(pod.annotations, spec.annotation) : undefined) ??
    (spec.argument !== undefined ? argument(container, spec.argument) : undefined) ??
    (spec.env !== undefined ? own(container.env, spec.env) : undefined);
  if (told === '0') return { kind: 'Off', detail: 'the pod sets its port to 0' };
  // Listen addresses are written as host:port as well.
  const port = Number(/^(?:.*:)?(\d{1,5})$/.exec(told ?? '')?.[1] ?? Number.NaN);
  if (port >= 1 && port <= 65_535) return { kind: 'Port', port };
  if (told !== undefined) return { kind: 'Untold', detail: `the pod tells no port: ${told}` };
  if (spec.default !== undefined) return { kind: 'Port', port: spec.default };
  return { kind: 'Untold', detail: 'the pod does not tell its port' };
}

/** The value of `--name=value` or `--name value`; `true` for a flag that stands alone. */
function argument({ command, args }: ContainerView, name: string): string | undefined {
  const words = [...(command ?? []), ...(args ?? [])];
  for (const [index, word] of words.entries()) {
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    if (word !== name) continue;
    const next = words[index + 1];
    return next === undefined || next.startsWith('-') ? 'true' : next;
  }
  return undefined;
}
