import type { Impersonated } from '../kubeconfig/connection.ts';

/** The headers that ask the API server to act as somebody else. */
export function impersonationHeaders(
  impersonated: Impersonated | undefined,
): Readonly<Record<string, string | string[]>> {
  if (!impersonated) return {};
  const { user, uid, groups, extra } = impersonated;
  return {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${escapeKey(key)}`, [...values]]),
    ),
  };
}

/** As in client-go: the bytes of a key that a header's name may not have are percent-encoded. */
function escapeKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => [byte, String.fromCharCode(byte)] as const)
    .map(([byte, letter]) =>
      /[\w!#$&'*+.^`|~-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}
