import type { Container, Pod } from '../../world/objects.ts';

/** What a pod violates, in the server's words; undefined if nothing. */
export type Check = (pod: Pod) => string | undefined;

/** The fields that the checks read. */
interface SecurityContext {
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

function plural(noun: string, names: readonly string[]): string {
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

const capabilities = [
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE'],
  ...['SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
];
const sysctls = [
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.ip_unprivileged_port_start'],
  ...['net.ipv4.tcp_syncookies', 'net.ipv4.ping_group_range', 'net.ipv4.ip_local_reserved_ports'],
  ...['net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl'],
  ...['net.ipv4.tcp_keepalive_probes', 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'],
];

const hostNamespaces: Check = ({ spec }) => {
  const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
  return used.length === 0
    ? undefined
    : `host namespaces (${used.map((field) => `${field}=true`).join(', ')})`;
};

const hostPathVolumes: Check = ({ spec }) => {
  const volumes = (spec['volumes'] ?? []) as readonly { readonly name: string; readonly hostPath?: object }[];
  const used = volumes.filter(({ hostPath }) => hostPath).map(({ name }) => name);
  return used.length === 0 ? undefined : `hostPath volumes (${plural('volume', used)})`;
};

const hostPorts: Check = (pod) => {
  const used = (container: { ports?: unknown }) =>
    ((container.ports ?? []) as readonly { readonly hostPort?: number }[]).flatMap(
      ({ hostPort }) => hostPort || [],
    );
  const bad = containersOf(pod).filter((each) => used(each).length > 0);
  if (bad.length === 0) return undefined;
  const ports = [...new Set(bad.flatMap(used))];
  const verb = bad.length === 1 ? 'uses' : 'use';
  return `hostPort (${nameContainers(bad)} ${verb} ${ports.length === 1 ? 'hostPort' : 'hostPorts'} ${ports.join(', ')})`;
};

/** A profile that the pod or a container sets to what is not allowed. */
function profile(title: string, field: 'seccompProfile' | 'appArmorProfile'): Check {
  return (pod) => {
    const wrong = (of: { securityContext?: object }) => contextOf(of)[field]?.type === 'Unconfined';
    const bad = containersOf(pod).filter(wrong);
    const setters = [...(wrong(pod.spec) ? ['pod'] : []), ...(bad.length > 0 ? [nameContainers(bad)] : [])];
    if (setters.length === 0) return undefined;
    return `${title} (${setters.join(' and ')} must not set securityContext.${field}.type to "Unconfined")`;
  };
}

const seLinux: Check = (pod) => {
  const types = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'];
  const wrong = (of: { securityContext?: object }) => {
    const { type = '', user = '', role = '' } = contextOf(of).seLinuxOptions ?? {};
    return !types.includes(type) || user !== '' || role !== '';
  };
  const bad = containersOf(pod).filter(wrong);
  const setters = [...(wrong(pod.spec) ? ['pod'] : []), ...(bad.length > 0 ? [nameContainers(bad)] : [])];
  return setters.length === 0
    ? undefined
    : `seLinuxOptions (${setters.join(' and ')} set forbidden securityContext.seLinuxOptions)`;
};

const forbiddenSysctls: Check = ({ spec }: Pod) => {
  const used = (contextOf(spec).sysctls ?? [])
    .map(({ name }) => name)
    .filter((name) => !sysctls.includes(name));
  return used.length === 0 ? undefined : `forbidden sysctls (${used.join(', ')})`;
};

/** The baseline standard: https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline */
export const baseline: readonly Check[] = [
  profile('forbidden AppArmor profile', 'appArmorProfile'),
  everyContainer(
    (each) => (contextOf(each).capabilities?.add ?? []).some((name) => !capabilities.includes(name)),
    (containers, bad) => {
      const added = bad.flatMap((each) => contextOf(each).capabilities?.add ?? []);
      const wrong = [...new Set(added.filter((name) => !capabilities.includes(name)))].sort();
      const list = wrong.map((name) => JSON.stringify(name)).join(', ');
      return `non-default capabilities (${containers} must not include ${list} in securityContext.capabilities.add)`;
    },
  ),
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  everyContainer(
    (each) => contextOf(each).privileged === true,
    (containers) => `privileged (${containers} must not set securityContext.privileged=true)`,
  ),
  everyContainer(
    (each) => (contextOf(each).procMount ?? 'Default') !== 'Default',
    (containers) => `procMount (${containers} must not set securityContext.procMount to "Unmasked")`,
  ),
  seLinux,
  profile('seccompProfile', 'seccompProfile'),
  forbiddenSysctls,
  everyContainer(
    (each) => contextOf(each).windowsOptions?.hostProcess === true,
    (containers) =>
      `hostProcess (${containers} must not set securityContext.windowsOptions.hostProcess=true)`,
  ),
];
