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
