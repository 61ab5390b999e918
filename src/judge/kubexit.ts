import { deathDependencies, namesIn, ownValue, processName } from '../model/annotations.ts';
import type { ContainerView } from '../model/pod.ts';
import type { Source } from './evidence.ts';

/** kubexit ends a process with death dependencies after them. Processes that wait only for each other are no evidence. */
export const kubexitDependencies: Source = ({ containers }) => {
  const dependants = new Map<string, ContainerView[]>();
  const waiting = containers.filter((container) => dependenciesOf(container).length > 0);
  for (const container of waiting) {
    for (const name of dependenciesOf(container)) {
      const known = dependants.get(name) ?? [];
      known.push(container);
      dependants.set(name, known);
    }
  }
  const waitingNames = new Set(waiting.map(nameOf));
  const sidecars = new Set<ContainerView>();
  // The loop also visits the names that it adds.
  const ending = new Set([...dependants.keys()].filter((name) => !waitingNames.has(name)));
  for (const name of ending) {
    for (const container of dependants.get(name) ?? []) {
      const own = nameOf(container);
      sidecars.add(container);
      if (own !== undefined) ending.add(own);
    }
  }
  return (container) => {
    if (sidecars.has(container)) {
      return { role: 'Sidecar', because: { kind: 'Variable', name: deathDependencies } };
    }
    const name = nameOf(container);
    return name && dependants.has(name) && !waitingNames.has(name)
      ? { role: 'Main', because: { kind: 'Variable', name: processName } }
      : undefined;
  };
};

function dependenciesOf({ env }: ContainerView): readonly string[] {
  return namesIn(ownValue(env, deathDependencies) ?? '');
}

function nameOf({ env }: ContainerView): string | undefined {
  return ownValue(env, processName);
}
