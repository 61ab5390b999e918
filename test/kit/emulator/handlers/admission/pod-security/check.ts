import type { Container, Pod } from '../../../world/objects.ts';

/** What a pod violates, in the server's words; undefined if nothing. */
export type Check = (pod: Pod) => string | undefined;

/** The fields that the checks read. */
export interface SecurityContext {
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly allowPrivilegeEscalation?: boolean;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly seccompProfile?: { readonly type?: string };
  readonly appArmorProfile?: { readonly type?: string };
  readonly seLinuxOptions?: { readonly type?: string; readonly user?: string; readonly role?: string };
  readonly windowsOptions?: { readonly hostProcess?: boolean };
  readonly sysctls?: readonly { readonly name: string }[];
}

export function containersOf({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
}

export function contextOf(of: { readonly securityContext?: object }): SecurityContext {
  return of.securityContext ?? {};
}

/** `container "a"`, or `containers "a", "b"`. */
export function nameContainers(containers: readonly Container[]): string {
  return plural(
    'container',
    containers.map(({ name }) => name),
  );
}

export function plural(noun: string, names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name)).join(', ');
  return names.length === 1 ? `${noun} ${quoted}` : `${noun}s ${quoted}`;
}

/** A check of every container by its own. */
export function everyContainer(
  wrong: (container: Container) => boolean,
  violation: (containers: string, bad: readonly Container[]) => string,
): Check {
  return (pod) => {
    const bad = containersOf(pod).filter(wrong);
    return bad.length === 0 ? undefined : violation(nameContainers(bad), bad);
  };
}
