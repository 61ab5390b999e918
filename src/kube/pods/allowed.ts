/**
 * Names become parts of paths, where `..` would lead elsewhere. What the API server allows besides is its own matter.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names
 */
export function isName(name: string | undefined): boolean {
  if (name === undefined || usualName.test(name)) return true;
  return /^[^/%\p{C}]{1,253}$/u.test(name) && name !== '.' && name !== '..';
}

/** Almost every name is like this, which is told several times as fast. */
const usualName = /^[a-z0-9][-a-z0-9.]{0,252}$/;

/** Uids are UUIDs but for static pods, whose uids are a hash. */
export function isUid(uid: string | undefined): boolean {
  return uid === undefined || /^[\w.-]{1,128}$/.test(uid);
}
