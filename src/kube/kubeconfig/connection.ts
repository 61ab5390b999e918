/** Text that the kubeconfig holds, or a file that may change. */
export type Source =
  | { readonly kind: 'Text'; readonly text: string }
  | { readonly kind: 'File'; readonly path: string };

/** Where an API server is, and who speaks to it: what a context of a kubeconfig comes to. */
export interface Connection {
  readonly context: string;
  /** As it is dialled and reported: without a password, and without a slash at its end. */
  readonly server: string;
  readonly tls: Tls;
  readonly proxy: URL | undefined;
  readonly user: User;
}

interface Tls {
  readonly ca: Source | undefined;
  /** The name in the server's certificate, if it is not that of its URL. */
  readonly serverName: string | undefined;
  /** Whether any certificate will do. */
  readonly insecure: boolean;
}

/** Everything is optional: a server may allow anonymous requests. */
export interface User {
  /** Authenticates by itself: `token` does for each request, and a certificate for each connection. */
  readonly token?: Source | undefined;
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  readonly certificate?: { readonly cert: Source; readonly key: Source } | undefined;
  readonly plugin?: Plugin | undefined;
  /** The settings of the auth-provider oidc. */
  readonly oidc?: Readonly<Record<string, unknown>> | undefined;
  readonly impersonated?: Impersonated | undefined;
}

export interface Impersonated {
  readonly user: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A program that prints credentials (client.authentication.k8s.io). */
export interface Plugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly apiVersion: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  readonly installHint: string | undefined;
  /** Whether it is told which cluster it is for. */
  readonly provideClusterInfo: boolean;
  /** What the cluster's extension holds for plugins. */
  readonly clusterConfig: unknown;
}
