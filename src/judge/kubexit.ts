import { deathDependencies, namesIn, ownValue, processName } from '../model/annotations.ts';
import type { ContainerView } from '../model/pod.ts';
import type { Source } from './evidence.ts';

/**
 * kubexit: a process with death dependencies ends after them, so it is a sidecar. A process without any, on
 * which others depend, is a main. Circular dependencies are no evidence.
 */
export const kubexitDependencies: Source = ({ containers }) => {
  const dependencies = new Map(containers.map((container) => [container, dependenciesOf(container)]));
  const awaited = new Set([...dependencies.values()].flat());
  if (awaited.size === 0) return () => undefined;
  const cycles = cyclesOf(byName(dependencies));
  return (container) => {
    const name = ownValue(container.env, processName);
    const own = dependencies.get(container) ?? [];
    if (own.length > 0) {
      const cycle = name === undefined ? undefined : cycles.get(name);
      if (cycle !== undefined && own.some((each) => cycles.get(each) === cycle)) return undefined;
      return { role: 'Sidecar', because: { kind: 'Variable', name: deathDependencies } };
    }
    return name && awaited.has(name)
      ? { role: 'Main', because: { kind: 'Variable', name: processName } }
      : undefined;
  };
};

function dependenciesOf({ env }: ContainerView): readonly string[] {
  return namesIn(ownValue(env, deathDependencies) ?? '');
}

/** The dependencies of each name, which several processes may share. */
function byName(
  dependencies: ReadonlyMap<ContainerView, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const [{ env }, awaited] of dependencies) {
    const name = ownValue(env, processName);
    if (name === undefined) continue;
    const known = named.get(name) ?? [];
    for (const each of awaited) known.push(each);
    named.set(name, known);
  }
  return named;
}

/**
 * The cycle that each name belongs to: two names have the same one if each leads to the other. Every edge is followed once, so
 * that a pod with many dependencies cannot slow down a sweep.
 * https://en.wikipedia.org/wiki/Tarjan%27s_strongly_connected_components_algorithm
 */
export function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const cycles = new Map<string, number>();
  const open: string[] = [];
  /** The earliest name that this one leads back to. Only names with edges are visited from others, so it is never deep. */
  function visit(name: string): number {
    const order = found.size;
    found.set(name, order);
    open.push(name);
    let earliest = order;
    for (const next of edges.get(name) ?? []) {
      if (cycles.has(next)) continue;
      earliest = Math.min(earliest, found.get(next) ?? visit(next));
    }
    if (earliest === order) {
      for (const member of open.splice(open.lastIndexOf(name))) cycles.set(member, order);
    }
    return earliest;
  }
  for (const name of edges.keys()) if (!found.has(name)) visit(name);
  return cycles;
}
