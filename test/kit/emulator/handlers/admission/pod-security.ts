import { isDeepStrictEqual } from 'node:util';
import type { Container, Pod } from '../../world/objects.ts';
import { forbidden } from '../status.ts';
import {
  baseline,
  type Check,
  containersOf,
  contextOf,
  everyContainer,
  nameContainers,
} from './pod-security-checks.ts';
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
  if (oldObject && !isSignificant(oldObject as Pod, pod)) return;
  // A level that does not exist enforces the strictest.
  const checks = level === 'baseline' ? baseline : [...baseline, ...restricted];
  const problems = checks.flatMap((check) => check(pod) ?? []);
  if (problems.length === 0) return;
  const version = labels[`${label}-version`] ?? 'latest';
  throw forbidden(resource, name, `violates PodSecurity "${level}:${version}": ${problems.join(', ')}`);
}

function isSignificant(before: Pod, after: Pod): boolean {
  const images = ({ spec }: Pod) =>
    [spec.containers, spec.initContainers, spec.ephemeralContainers].map((list: Container[] = []) =>
      list.map(({ image }) => image),
    );
  return !isDeepStrictEqual(images(before), images(after));
}

const volumeKinds = [
  ...[
    'configMap',
    'csi',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'persistentVolumeClaim',
    'projected',
    'secret',
  ],
  'image',
];

const restrictedVolumes: Check = ({ spec }) => {
  const volumes = (spec['volumes'] ?? []) as readonly { readonly name: string }[];
  const bad = volumes.flatMap(({ name, ...source }) => {
    const kind = Object.keys(source).find((each) => !volumeKinds.includes(each));
    return kind === undefined ? [] : [{ name, kind }];
  });
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => JSON.stringify(name)).join(', ');
  const kinds = [...new Set(bad.map(({ kind }) => JSON.stringify(kind)))].sort().join(', ');
  return bad.length === 1
    ? `restricted volume types (volume ${names} uses restricted volume type ${kinds})`
    : `restricted volume types (volumes ${names} use restricted volume types ${kinds})`;
};

const runAsNonRoot: Check = (pod) => {
  const ofPod = contextOf(pod.spec).runAsNonRoot;
  const explicit = containersOf(pod).filter((each) => contextOf(each).runAsNonRoot === false);
  const setters = [
    ...(ofPod === false ? ['pod'] : []),
    ...(explicit.length > 0 ? [nameContainers(explicit)] : []),
  ];
  const must = 'securityContext.runAsNonRoot';
  if (setters.length > 0) return `runAsNonRoot != true (${setters.join(' and ')} must not set ${must}=false)`;
  const silent = containersOf(pod).filter((each) => contextOf(each).runAsNonRoot === undefined);
  if (ofPod === true || silent.length === 0) return undefined;
  return `runAsNonRoot != true (pod or ${nameContainers(silent)} must set ${must}=true)`;
};

const runAsUser: Check = (pod) => {
  const bad = containersOf(pod).filter((each) => contextOf(each).runAsUser === 0);
  const setters = [
    ...(contextOf(pod.spec).runAsUser === 0 ? ['pod'] : []),
    ...(bad.length > 0 ? [nameContainers(bad)] : []),
  ];
  return setters.length === 0 ? undefined : `runAsUser=0 (${setters.join(' and ')} must not set runAsUser=0)`;
};

const seccompProfile: Check = (pod) => {
  const allowed = ['RuntimeDefault', 'Localhost'];
  const ofPod = contextOf(pod.spec).seccompProfile?.type;
  const silent = containersOf(pod).filter((each) => contextOf(each).seccompProfile === undefined);
  if ((ofPod !== undefined && allowed.includes(ofPod)) || silent.length === 0) return undefined;
  const must = 'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return `seccompProfile (pod or ${nameContainers(silent)} must set ${must})`;
};

/** What restricted adds: https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted */
const restricted: readonly Check[] = [
  everyContainer(
    (each) => contextOf(each).allowPrivilegeEscalation !== false,
    (containers) =>
      `allowPrivilegeEscalation != false (${containers} must set securityContext.allowPrivilegeEscalation=false)`,
  ),
  (pod) => {
    const notDropped = containersOf(pod).filter(
      (each) => !contextOf(each).capabilities?.drop?.includes('ALL'),
    );
    const adds = containersOf(pod).filter((each) =>
      contextOf(each).capabilities?.add?.some((name) => name !== 'NET_BIND_SERVICE'),
    );
    const parts = [
      ...(notDropped.length > 0
        ? [`${nameContainers(notDropped)} must set securityContext.capabilities.drop=["ALL"]`]
        : []),
      ...(adds.length > 0
        ? [`${nameContainers(adds)} must not include more in securityContext.capabilities.add`]
        : []),
    ];
    return parts.length === 0 ? undefined : `unrestricted capabilities (${parts.join('; ')})`;
  },
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfile,
];
