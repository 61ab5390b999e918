import type { Kubelet, KubeletsReading } from '../origins.ts';
import type { WhyStuck } from './advice.ts';
import { reaches, versionIn } from './version.ts';

/** What runs in the cluster. */
export interface ClusterVersions {
  /** Of the API server; undefined if it cannot be read. */
  readonly server: string | undefined;
  readonly kubelets: KubeletsReading;
}

/** Native sidecars are on by default from here on; from 1.28 on with a feature gate. (kubernetes/enhancements#753) */
const onByDefault = '1.29';
const gated = '1.28';

const mostNodes = 10;

/** What must be done before native sidecars work; empty if they do. */
export function beforeNative({ server, kubelets }: ClusterVersions): readonly string[] {
  return [...beforeServer(server), ...beforeKubelets(kubelets)];
}

/** Without it, the API server drops the container's restartPolicy, and the pod waits for its sidecar to end before it starts. */
export function keepsNative({ server }: ClusterVersions): boolean {
  return server !== undefined && isAtLeast(server, onByDefault);
}

/** The nodes that keep an injector from making native sidecars by itself; undefined if there are none, or they cannot be read. */
export function oldNodes(
  { kubelets }: ClusterVersions,
  least: string,
): Extract<WhyStuck, { readonly kind: 'OldNodes' }> | undefined {
  const old = kubelets.kind === 'Read' ? olderThan(least, kubelets.kubelets) : [];
  if (old.length === 0) return undefined;
  const nodes = old.slice(0, mostNodes).map(({ node, version }) => ({ name: node, kubelet: version }));
  return { kind: 'OldNodes', kubelet: least, nodes, more: old.length - nodes.length };
}

/** Nodes in words. */
export function describeNodes({
  nodes,
  more,
}: Omit<Extract<WhyStuck, { readonly kind: 'OldNodes' }>, 'kind' | 'kubelet'>): string {
  const named = nodes.map(({ name, kubelet }) => `${name} (${kubelet})`).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

function beforeServer(server: string | undefined): readonly string[] {
  if (server === undefined) {
    return [`make sure that the API server is ${onByDefault} or later: its version cannot be read`];
  }
  if (isAtLeast(server, onByDefault)) return [];
  return isAtLeast(server, gated)
    ? [`switch on the feature gate SidecarContainers of the API server (${server}) and of all kubelets`]
    : [`upgrade the API server (${server}) to ${onByDefault} or later`];
}

function beforeKubelets(reading: KubeletsReading): readonly string[] {
  if (reading.kind === 'Unreadable') {
    const { message } = reading.problem;
    return [
      `make sure that all kubelets are ${onByDefault} or later: the nodes cannot be listed (${message})`,
    ];
  }
  const versions = { server: undefined, kubelets: reading };
  const old = oldNodes(versions, onByDefault);
  return old ? [`upgrade the nodes that are older than ${onByDefault}: ${describeNodes(old)}`] : [];
}

function olderThan(least: string, kubelets: readonly Kubelet[]): readonly Kubelet[] {
  return kubelets.filter(({ version }) => !isAtLeast(version, least));
}

function isAtLeast(text: string, least: string): boolean {
  const version = versionIn(text);
  return version !== undefined && reaches(version, [least]);
}
