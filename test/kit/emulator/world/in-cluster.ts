/** What pods need to reach the API server as their service account. */
export interface InCluster {
  /** The server's port on this machine's loopback. */
  readonly port: number;
  /** The CA certificate to trust, in PEM. */
  readonly ca: string;
  token(namespace: string, serviceAccount: string): string;
}

/** The cluster IP of the `kubernetes` service, where every pod finds the API server. */
export const apiServiceIP = '10.96.0.1';
