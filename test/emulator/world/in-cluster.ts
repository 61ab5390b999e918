/** What pods need to talk to the API server as their service account. */
export interface InCluster {
  /** Where the server listens on this machine's loopback. */
  readonly port: number;
  /** PEM of the authority to trust. */
  readonly ca: string;
  token(namespace: string, serviceAccount: string): string;
}

/** Where every pod finds the API server, as the `kubernetes` service gives it. */
export const apiServiceIP = '10.96.0.1';
