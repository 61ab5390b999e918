import type { Container, Pod } from '../objects.ts';

/** The user that a container runs as. Without a gid, the image's /etc/passwd decides; the default is 0. */
export function userOf(
  pod: Pod,
  container: Container,
  imageUser = 0,
): { readonly uid: number; readonly gid?: number } {
  const uid = container.securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser ?? imageUser;
  const gid = container.securityContext?.runAsGroup ?? pod.spec.securityContext?.runAsGroup;
  return gid === undefined ? { uid } : { uid, gid };
}
