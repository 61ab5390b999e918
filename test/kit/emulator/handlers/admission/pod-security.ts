import { isDeepStrictEqual } from 'node:util';
import type { Container, Pod } from '../../world/objects.ts';
import { forbidden } from '../status.ts';
import type { Write } from './requests.ts';

const label = 'pod-security.kubernetes.io/enforce';

/**
 * Pod Security admission of what the namespace's label enforces. An update is looked at again only if it
 * changes an image or adds a container; whatever else is wrong with the running pod then refuses it, too.
 * https://github.com/kubernetes/pod-security-admission/blob/v0.36.0/admission/admission.go
 */
export function enforcePodSecurity({ call, operation, object, oldObject, name }: Write): void {
  const { resource, info, backend } = call;
  if (resource.resource !== 'pods' || !object || !['', 'ephemeralcontainers'].includes(info.subresource))
    return;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return;
  const labels = backend.store.get('namespaces', undefined, info.namespace)?.metadata.labels ?? {};
  const level = labels[label] ?? 'privileged';
  if (level === 'privileged') return;
  const pod = object as Pod;
  if (oldObject && isDeepStrictEqual(imagesOf(oldObject as Pod), imagesOf(pod))) return;
  // A level that does not exist enforces the strictest.
  const checks = level === 'baseline' ? baseline : [...baseline, ...restricted];
  const problems = checks.flatMap((check) => check(pod) ?? []);
  if (problems.length === 0) return;
  const version = labels[`${label}-version`] ?? 'latest';
  throw forbidden(resource, name, `violates PodSecurity "${level}:${version}": ${problems.join(', ')}`);
}

function imagesOf({ spec }: Pod) {
  return [spec.containers, spec.initContainers, spec.ephemeralContainers].map((list: Container[] = []) =>
    list.map(({ image }) => image),
  );
}

/** What a pod violates, in the server's words; undefined if nothing. */
type Check = (pod: Pod) => string | undefined;

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

function contextOf(of: { readonly securityContext?: object }): SecurityContext {
  return of.securityContext ?? {};
}

/** The containers whose security context is like this. */
function containersWhere({ spec }: Pod, isSo: (context: SecurityContext) => boolean): readonly Container[] {
  const all = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
  return all.filter((container) => isSo(contextOf(container)));
}

/** `container "a"`, or `containers "a", "b"`. */
function named(noun: string, all: readonly { readonly name: string }[]): string {
  return `${noun}${all.length === 1 ? '' : 's'} ${all.map(({ name }) => JSON.stringify(name)).join(', ')}`;
}

/** What containers, and the pod itself unless only containers have such a field, must or must not set. */
function setting(
  title: string,
  isWrong: (context: SecurityContext) => boolean,
  what: string,
  { onlyContainers = false } = {},
): Check {
  return (pod) => {
    const bad = containersWhere(pod, isWrong);
    const ofPod = !onlyContainers && isWrong(contextOf(pod.spec));
    const setters = [...(ofPod ? ['pod'] : []), ...(bad.length > 0 ? [named('container', bad)] : [])];
    return setters.length === 0 ? undefined : `${title} (${setters.join(' and ')} ${what})`;
  };
}

const onlyContainers = { onlyContainers: true };

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
const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'];
const volumeKinds = [
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim'],
  ...['projected', 'secret'],
];

type Volume = { readonly name: string; readonly [kind: string]: unknown };
const volumesOf = ({ spec }: Pod) => (spec['volumes'] ?? []) as readonly Volume[];
const quoted = (words: readonly string[]) => words.map((word) => JSON.stringify(word)).join(', ');

/** The baseline standard: https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline */
const baseline: readonly Check[] = [
  setting(
    'forbidden AppArmor profile',
    ({ appArmorProfile }) => appArmorProfile?.type === 'Unconfined',
    'must not set securityContext.appArmorProfile.type to "Unconfined"',
  ),
  (pod) => {
    const wrongIn = ({ capabilities: { add = [] } = {} }: SecurityContext) =>
      add.filter((name) => !capabilities.includes(name));
    const bad = containersWhere(pod, (context) => wrongIn(context).length > 0);
    const wrong = [...new Set(bad.flatMap((each) => wrongIn(contextOf(each))))].sort();
    if (bad.length === 0) return undefined;
    return `non-default capabilities (${named('container', bad)} must not include ${quoted(wrong)} in securityContext.capabilities.add)`;
  },
  ({ spec }) => {
    const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
    const list = used.map((field) => `${field}=true`).join(', ');
    return used.length === 0 ? undefined : `host namespaces (${list})`;
  },
  (pod) => {
    const used = volumesOf(pod).filter(({ hostPath }) => hostPath);
    return used.length === 0 ? undefined : `hostPath volumes (${named('volume', used)})`;
  },
  (pod) => {
    const portsOf = ({ ports = [] }: Container) =>
      (ports as readonly { readonly hostPort?: number }[]).flatMap(({ hostPort }) => hostPort || []);
    const bad = containersWhere(pod, () => true).filter((each) => portsOf(each).length > 0);
    const ports = [...new Set(bad.flatMap(portsOf))];
    const uses = `${bad.length === 1 ? 'uses' : 'use'} hostPort${ports.length === 1 ? '' : 's'}`;
    return bad.length === 0 ? undefined : `hostPort (${named('container', bad)} ${uses} ${ports.join(', ')})`;
  },
  setting(
    'privileged',
    ({ privileged }) => privileged === true,
    'must not set securityContext.privileged=true',
    onlyContainers,
  ),
  setting(
    'procMount',
    ({ procMount = 'Default' }) => procMount !== 'Default',
    'must not set securityContext.procMount to "Unmasked"',
    onlyContainers,
  ),
  setting(
    'seLinuxOptions',
    ({ seLinuxOptions: { type = '', user = '', role = '' } = {} }) =>
      !seLinuxTypes.includes(type) || user !== '' || role !== '',
    'set forbidden securityContext.seLinuxOptions',
  ),
  setting(
    'seccompProfile',
    ({ seccompProfile }) => seccompProfile?.type === 'Unconfined',
    'must not set securityContext.seccompProfile.type to "Unconfined"',
  ),
  ({ spec }) => {
    const names = (contextOf(spec).sysctls ?? []).map(({ name }) => name);
    const used = names.filter((name) => !sysctls.includes(name));
    return used.length === 0 ? undefined : `forbidden sysctls (${used.join(', ')})`;
  },
  setting(
    'hostProcess',
    ({ windowsOptions }) => windowsOptions?.hostProcess === true,
    'must not set securityContext.windowsOptions.hostProcess=true',
    onlyContainers,
  ),
];

/** What restricted adds: https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted */
const restricted: readonly Check[] = [
  setting(
    'allowPrivilegeEscalation != false',
    ({ allowPrivilegeEscalation }) => allowPrivilegeEscalation !== false,
    'must set securityContext.allowPrivilegeEscalation=false',
    onlyContainers,
  ),
  (pod) => {
    const keep = containersWhere(pod, ({ capabilities }) => !capabilities?.drop?.includes('ALL'));
    const add = containersWhere(pod, ({ capabilities: { add = [] } = {} }) =>
      add.some((name) => name !== 'NET_BIND_SERVICE'),
    );
    const must = `${named('container', keep)} must set securityContext.capabilities.drop=["ALL"]`;
    const mustNot = `${named('container', add)} must not include more in securityContext.capabilities.add`;
    const parts = [...(keep.length > 0 ? [must] : []), ...(add.length > 0 ? [mustNot] : [])];
    return parts.length === 0 ? undefined : `unrestricted capabilities (${parts.join('; ')})`;
  },
  (pod) => {
    const kindOf = ({ name, ...source }: Volume) =>
      Object.keys(source).find((kind) => !volumeKinds.includes(kind));
    const bad = volumesOf(pod).filter((volume) => kindOf(volume) !== undefined);
    const kinds = quoted([...new Set(bad.map((volume) => kindOf(volume) ?? ''))].sort());
    const use = bad.length === 1 ? 'uses restricted volume type' : 'use restricted volume types';
    return bad.length === 0 ? undefined : `restricted volume types (${named('volume', bad)} ${use} ${kinds})`;
  },
  (pod) => {
    const title = 'runAsNonRoot != true';
    const must = 'securityContext.runAsNonRoot';
    const explicit = setting(
      title,
      ({ runAsNonRoot }) => runAsNonRoot === false,
      `must not set ${must}=false`,
    );
    const silent = containersWhere(pod, ({ runAsNonRoot }) => runAsNonRoot === undefined);
    if (explicit(pod) || contextOf(pod.spec).runAsNonRoot === true || silent.length === 0)
      return explicit(pod);
    return `${title} (pod or ${named('container', silent)} must set ${must}=true)`;
  },
  setting('runAsUser=0', ({ runAsUser }) => runAsUser === 0, 'must not set runAsUser=0'),
  (pod) => {
    const ofPod = contextOf(pod.spec).seccompProfile?.type ?? '';
    const silent = containersWhere(pod, ({ seccompProfile }) => seccompProfile === undefined);
    if (['RuntimeDefault', 'Localhost'].includes(ofPod) || silent.length === 0) return undefined;
    const must = 'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
    return `seccompProfile (pod or ${named('container', silent)} must set ${must})`;
  },
];
