import { namesIn } from '../../pod/annotations.ts';
import type { ContainerView } from '../../vocabulary.ts';
import type { Source } from './source.ts';

/**
 * kubexit: a process with death dependencies ends after them, so it is a sidecar. A process without any, on
 * which others depend, is a main. Circular dependencies say nothing.
 */
export const kubexitDependencies: Source = (container, pod) => {
  if (deathDependencies(container).length > 0) {
    if (waitsForItself(container, pod.containers)) return undefined;
    return { role: 'Sidecar', because: { kind: 'Variable', name: 'KUBEXIT_DEATH_DEPS' } };
  }
  const name = variable(container, 'KUBEXIT_NAME');
  const isAwaited = pod.containers.some((other) => name && deathDependencies(other).includes(name));
  return isAwaited ? { role: 'Main', because: { kind: 'Variable', name: 'KUBEXIT_NAME' } } : undefined;
};

/** Whether a container's death dependencies lead back to it. */
function waitsForItself(container: ContainerView, containers: readonly ContainerView[]): boolean {
  const reached = new Set<string>();
  const open = [...deathDependencies(container)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const other of containers) {
      if (variable(other, 'KUBEXIT_NAME') === name) open.push(...deathDependencies(other));
    }
  }
  const own = variable(container, 'KUBEXIT_NAME');
  return own !== undefined && reached.has(own);
}

function deathDependencies(container: ContainerView): readonly string[] {
  return namesIn(variable(container, 'KUBEXIT_DEATH_DEPS') ?? '');
}

function variable({ env }: ContainerView, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
