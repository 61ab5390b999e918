/** The contents of a kubeconfig: one cluster, one user, one context. */
export interface KubeconfigOptions {
  readonly server: string;
  /** The CA certificate of the server, in PEM. */
  readonly ca: string;
  readonly token: string;
  readonly user: string;
  readonly context: string;
  readonly namespace?: string;
}

/** The text of a kubeconfig file. */
export function writeKubeconfig({ server, ca, token, user, context, namespace }: KubeconfigOptions): string {
  return `apiVersion: v1
kind: Config
current-context: ${context}
clusters:
  - name: emulator
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(ca).toString('base64')}
contexts:
  - name: ${context}
    context:
      cluster: emulator
      user: ${user}${namespace === undefined ? '' : `\n      namespace: ${namespace}`}
users:
  - name: ${user}
    user:
      token: ${token}
`;
}
