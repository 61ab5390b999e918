import { namesIn } from '../../pod/annotations.ts';
import { deathDependencies, processName } from '../../pod/kubexit.ts';
import { own } from '../../pod/values.ts';
import type { ContainerView } from '../../vocabulary/container.ts';
import { circlesOf } from './circles.ts';
import type { Source } from './source.ts';

/**
 * kubexit: a process with death dependencies ends after them, so it is a sidecar. A process without any, on
 * which others depend, is a main. Circular dependencies say nothing.
 */
export const kubexitDependencies: Source = ({ containers }) => {
  const awaitedBy = new Map(containers.map((container) => [container, dependenciesOf(container)]));
  const awaited = new Set([...awaitedBy.values()].flat());
  if (awaited.size === 0) return () => undefined;
  const circles = circlesOf(byName(awaitedBy));
  return (container) => {
    const name = own(container.env, processName);
    const dependencies = awaitedBy.get(container) ?? [];
    if (dependencies.length > 0) {
      const circle = name === undefined ? undefined : circles.get(name);
      // Its own dependencies lead back to it.
      if (circle !== undefined && dependencies.some((each) => circles.get(each) === circle)) return undefined;
      return { role: 'Sidecar', because: { kind: 'Variable', name: deathDependencies } };
    }
    return name && awaited.has(name)
      ? { role: 'Main', because: { kind: 'Variable', name: processName } }
      : undefined;
  };
};

/** What each process waits for; several may go by one name. */
function byName(
  dependencies: ReadonlyMap<ContainerView, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const [{ env }, awaited] of dependencies) {
    const name = own(env, processName);
    if (name === undefined) continue;
    const known = named.get(name) ?? [];
    for (const each of awaited) known.push(each);
    named.set(name, known);
  }
  return named;
}

function dependenciesOf({ env }: ContainerView): readonly string[] {
  return namesIn(own(env, deathDependencies) ?? '');
}
