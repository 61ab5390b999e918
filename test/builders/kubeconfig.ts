type Fields = Readonly<Record<string, unknown>>;

/** A kubeconfig with one context, and one cluster and one user of its name. */
export function kubeconfigOf(
  cluster: Fields,
  user?: Fields,
  name = 'a',
  current: string | undefined = name,
): Fields {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    ...(current && { 'current-context': current }),
    clusters: [{ name, cluster }],
    contexts: [{ name, context: { cluster: name, ...(user && { user: name }) } }],
    users: user ? [{ name, user }] : [],
  };
}
