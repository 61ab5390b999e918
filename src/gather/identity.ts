import type { NamespaceReading } from '../model/facts.ts';
import type { Cluster, Slots } from '../ports.ts';

/**
 * Every cluster has it, and nobody can delete it, so its uid is the cluster's. OpenTelemetry takes it for the same:
 * https://opentelemetry.io/docs/specs/semconv/registry/attributes/k8s/#k8s-cluster-uid.
 */
const lasting = 'kube-system';

type Namespaces = Pick<Cluster, 'readNamespace' | 'listNamespaces'>;

/** Finds out which cluster it is: addresses do not tell, because those of services are the same in many clusters. */
export interface Identity<C extends Namespaces> {
  /** The cluster; what is read of it anyway need not be read again. */
  readonly overheard: C;
  /** Undefined if it may not be read, which is no failure. */
  uid(slots: Slots, abort: AbortSignal): Promise<string | undefined>;
}

export function identify<C extends Namespaces>(cluster: C): Identity<C> {
  let uid: string | undefined;
  const hear = (name: string, reading: NamespaceReading) => {
    if (name === lasting && reading.kind === 'Present') uid = reading.uid;
    return reading;
  };
  return {
    overheard: {
      ...cluster,
      async readNamespace(name, abort) {
        return hear(name, await cluster.readNamespace(name, abort));
      },
      async listNamespaces(selector, token, abort) {
        const page = await cluster.listNamespaces(selector, token, abort);
        if (page.kind === 'Page') for (const { name, reading } of page.items) hear(name, reading);
        return page;
      },
    },
    async uid(slots, abort) {
      if (uid === undefined) hear(lasting, await slots(() => cluster.readNamespace(lasting, abort)));
      return uid;
    },
  };
}
