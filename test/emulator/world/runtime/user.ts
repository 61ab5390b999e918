import type { Container, Pod } from '../objects.ts';

/** The user a container runs as. Without a group, the image's own /etc/passwd says which, or else it is root's. */
export function userOf(pod: Pod, container: Container): { readonly uid: number; readonly gid?: number } {
  const uid = container.securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser ?? 0;
  const gid = container.securityContext?.runAsGroup ?? pod.spec.securityContext?.runAsGroup;
  return gid === undefined ? { uid } : { uid, gid };
}
