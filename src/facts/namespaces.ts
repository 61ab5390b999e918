import { everyPage } from '../kube/every-page.ts';
import type { Cluster } from '../model/ports.ts';
import type { Problem } from '../model/reading.ts';
import type { Scope } from '../model/scope.ts';
import type { Slots } from '../util/concurrency.ts';

/** The namespaces that a policy selects. */
export interface SelectedNamespaces {
  /** Where to list pods; undefined if nowhere, because an empty list of namespaces means all. */
  readonly scope: Scope | undefined;
  /** Undefined if there is no selector; empty if the selection failed. */
  readonly names: ReadonlySet<string> | undefined;
  readonly problem?: Problem;
}

/** From here on, one list of all pods is faster than one of each namespace. */
const mostLists = 50;

export async function selectNamespaces(
  scope: Scope,
  cluster: Pick<Cluster, 'listNamespaces'>,
  abort: AbortSignal,
): Promise<SelectedNamespaces> {
  const { namespaceSelector, namespaces, excludeNamespaces = [] } = scope;
  if (namespaceSelector === undefined) return { scope, names: undefined };
  const listed = await everyPage((token) => cluster.listNamespaces(namespaceSelector, token, abort));
  if (listed.kind === 'Unreadable') return { scope: undefined, names: new Set(), problem: listed.problem };
  const names = new Set(listed.items.map(({ name }) => name));
  const isNamed = (name: string) => namespaces.length === 0 || namespaces.includes(name);
  const wanted = [...names].filter((name) => isNamed(name) && !excludeNamespaces.includes(name));
  if (wanted.length === 0) return { scope: undefined, names };
  return { scope: wanted.length > mostLists ? scope : { ...scope, namespaces: wanted }, names };
}

/**
 * Identifies the cluster; undefined if that may not be read, which is not a failure. Its address does not identify it: many
 * clusters have the same one for the API server's Service. Every cluster has the namespace kube-system for good, so its uid is the
 * cluster's. OpenTelemetry identifies clusters by it, too:
 * https://opentelemetry.io/docs/specs/semconv/registry/attributes/k8s/#k8s-cluster-uid.
 */
export async function readClusterUid(
  cluster: Pick<Cluster, 'readNamespace'>,
  slots: Slots,
  abort: AbortSignal,
): Promise<string | undefined> {
  const reading = await slots(() => cluster.readNamespace('kube-system', abort));
  return reading.kind === 'Present' ? reading.uid : undefined;
}
