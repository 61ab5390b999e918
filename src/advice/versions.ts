import * as z from 'zod';
import { repositoryOf } from '../model/image.ts';
import type { Kubelet } from '../model/ports.ts';
import type { ListReading } from '../model/reading.ts';
import { kind, list, text, type Value, whole } from '../model/schema.ts';

/** A version as tags and kubelets write it. Edge releases of Linkerd are numbered by their date, so they are a release line of their own. */
export interface Version {
  readonly line: 'release' | 'edge';
  readonly numbers: readonly number[];
}

/** The version in a text such as `v1.31.2-gke.100`, `stable-2.14.10` or `edge-25.10.2`; undefined if it has none. */
export function versionIn(text: string): Version | undefined {
  // A tag with one number, such as `2`, is moved to each new version.
  const found = /^(?:(edge|stable|enterprise)-)?v?(\d{1,6}(?:\.\d{1,6}){1,2})(?![\d.])/.exec(text);
  if (!found) return undefined;
  const numbers = (found[2] ?? '').split('.').map(Number);
  return { line: found[1] === 'edge' ? 'edge' : 'release', numbers };
}

export function tagOf(image: string): string | undefined {
  const tag = (image.split('@', 1)[0] ?? '').slice(repositoryOf(image).length + 1);
  return tag === '' ? undefined : tag;
}

/** Whether a version is at least the bound of its release line. */
export function reaches(version: Version, bounds: readonly string[]): boolean {
  return bounds.some((bound) => {
    const least = versionIn(bound);
    if (least?.line !== version.line) return false;
    const differences = [0, 1, 2].map((index) => (version.numbers[index] ?? 0) - (least.numbers[index] ?? 0));
    return (differences.find((difference) => difference !== 0) ?? 0) >= 0;
  });
}

export interface ClusterVersions {
  /** Of the API server; undefined if it cannot be read. */
  readonly server: string | undefined;
  readonly kubelets: ListReading<Kubelet>;
}

/** Native sidecars are on by default from here on. (kubernetes/enhancements#753) */
const onByDefault = '1.29';

const node = z.object({ name: text('the name of the node'), kubelet: text('the version of its kubelet') });

export const oldNodesFound = kind(
  'OldNodes',
  'the injector makes no native sidecars while one node is older',
  {
    kubelet: text('the version that all must have'),
    nodes: list('nodes that have an older one', node),
    more: whole('how many more there are'),
  },
);
type OldNodes = Value<typeof oldNodesFound>;

const mostNodes = 10;

/** Steps to take before native sidecars work; empty if they do. */
export function beforeNative({ server, kubelets }: ClusterVersions): readonly string[] {
  const { first } = serverSince(server, onByDefault);
  if (kubelets.kind === 'Unreadable') {
    const why = `the nodes cannot be listed (${kubelets.problem.message})`;
    return [...first, `make sure that all kubelets are ${onByDefault} or later: ${why}`];
  }
  const old = oldNodes(kubelets, onByDefault);
  return old
    ? [...first, `upgrade the nodes that are older than ${onByDefault}: ${describeNodes(old)}`]
    : first;
}

/** Whether the API server keeps the restartPolicy of a native sidecar. An older one drops it, and the pod waits for the sidecar to end. */
export function keepsNative({ server }: ClusterVersions): boolean {
  return server !== undefined && isAtLeast(server, onByDefault);
}

/** Whether the API server has what came with a version, and what must be done first. */
export function serverSince(server: string | undefined, least: string, why = '') {
  if (server === undefined) {
    const first = [`make sure that the API server is ${least} or later: its version cannot be read`];
    return { first, isPossible: true };
  }
  const isPossible = isAtLeast(server, least);
  const upgrade = `upgrade the API server (${server}) to ${least} or later${why}`;
  return { first: isPossible ? [] : [upgrade], isPossible };
}

/** The nodes that keep an injector from making native sidecars by itself; undefined if there are none, or they cannot be read. */
export function oldNodes(kubelets: ListReading<Kubelet>, least: string): OldNodes | undefined {
  const read = kubelets.kind === 'Read' ? kubelets.items : [];
  // Where no kubelet has reported yet, the version is empty.
  const old = read.filter(({ version }) => version !== '' && !isAtLeast(version, least));
  if (old.length === 0) return undefined;
  const nodes = old.slice(0, mostNodes).map(({ node, version }) => ({ name: node, kubelet: version }));
  return { kind: 'OldNodes', kubelet: least, nodes, more: old.length - nodes.length };
}

export function describeNodes({ nodes, more }: Pick<OldNodes, 'nodes' | 'more'>): string {
  const named = nodes.map(({ name, kubelet }) => `${name} (${kubelet})`).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

function isAtLeast(text: string, least: string): boolean {
  const version = versionIn(text);
  return version !== undefined && reaches(version, [least]);
}
