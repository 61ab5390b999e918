import { shows } from '../model/signs.ts';
import type { Candidate } from '../model/verdict.ts';
import { findProfile } from '../policy/match.ts';
import type { Profile } from '../policy/profile.ts';
import type { Origin } from './origin.ts';

/** Where a sidecar of a stuck pod comes from. */
type Place =
  /** Its place among the containers of its owner's template, or of the pod's own manifest. */
  | { readonly kind: 'Template'; readonly index: number }
  /** The template now has it as a native sidecar. */
  | { readonly kind: 'Native' }
  | { readonly kind: 'Injected' }
  | { readonly kind: 'Unknown'; readonly problem: string };

type Sidecar = Candidate['sidecars'][number];

export interface Placed extends Sidecar, Pick<Candidate, 'pod'> {
  readonly profile: Profile | undefined;
  readonly place: Place;
}

/** The sidecars of a stuck pod, each with where it comes from. */
export function placed(
  { pod, sidecars }: Candidate,
  origin: Origin,
  catalogue: readonly Profile[],
): readonly Placed[] {
  const known = sidecars.map((sidecar) => {
    const profile = findProfile(catalogue, pod, sidecar.container);
    return { ...sidecar, profile, isInjected: isInjected(sidecar, pod, profile) };
  });
  const injected = new Set(known.flatMap((one) => (one.isInjected ? [one.container.name] : [])));
  const own = pod.containers.map(({ name }) => name).filter((name) => !injected.has(name));
  return known.map(({ isInjected, ...one }) => {
    const { name } = one.container;
    return { ...one, pod, place: placeOf(name, isInjected, own, pod, origin) };
  });
}

/** `own` are the containers of the pod's own manifest: injectors put theirs before or behind them. */
function placeOf(
  container: string,
  isInjected: boolean,
  own: readonly string[],
  pod: Candidate['pod'],
  origin: Origin,
): Place {
  const { kind, name, reading } = origin;
  const known = placeInTemplate(container, origin);
  if (known) return known;
  if (isInjected) return { kind: 'Injected' };
  if (reading?.kind === 'Unreadable') return { kind: 'Unknown', problem: reading.problem.message };
  if (reading?.kind === 'Gone') return { kind: 'Unknown', problem: `${kind} ${name} is gone` };
  if (pod.owner) return { kind: 'Unknown', problem: `the template of a ${kind} is not read` };
  return { kind: 'Template', index: own.indexOf(container) };
}

function placeInTemplate(container: string, { reading }: Origin): Place | undefined {
  if (reading?.kind !== 'Present') return undefined;
  const { containers, nativeSidecars } = reading.template;
  const index = containers.indexOf(container);
  if (index >= 0) return { kind: 'Template', index };
  return nativeSidecars.includes(container) ? { kind: 'Native' } : { kind: 'Injected' };
}

function isInjected(
  { because, container }: Sidecar,
  pod: Candidate['pod'],
  profile: Profile | undefined,
): boolean {
  return (
    because.kind === 'InjectionStatus' ||
    because.kind === 'NotInJobTemplate' ||
    (profile?.cure?.injectedIf.some((sign) => shows(sign, pod, container)) ?? false)
  );
}
