import { isDeepStrictEqual } from 'node:util';
import type { Container, Pod } from '../../world/objects.ts';
import { forbidden } from '../status.ts';
import type { Write } from './admission.ts';
import { baseline } from './pod-security/baseline.ts';
import { restricted } from './pod-security/restricted.ts';

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
