import type { Connection } from '../../src/kube/auth/connection.ts';

/** A connection to a server at this address, which asks for no credentials unless it says otherwise. */
export function connectionTo(server: string, more: Partial<Connection> = {}): Connection {
  return {
    namespace: 'default',
    context: 'a',
    server,
    tls: { ca: undefined, serverName: undefined, insecure: false },
    proxy: undefined,
    isAwaited: true,
    user: {},
    ...more,
  };
}
