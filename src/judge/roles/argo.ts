import type { Source } from './source.ts';

/** Argo's own containers, which store the outputs after the work is done: ending them would lose artifacts. */
const executors: readonly string[] = ['wait', 'supervisor'];

/**
 * Argo Workflows: the containers of the template do the work, `wait` uploads what came of it, and everything else
 * is a sidecar. As long as the template is not known, nothing is said of the others.
 */
export const argoContainer: Source = ({ name }, { argo, containers }) => {
  if (!argo) return undefined;
  const mains = argo.mains ?? [];
  if (executors.includes(name) || mains.includes(name))
    return { role: 'Main', because: { kind: 'ArgoWorkflow' } };
  if (!containers.some((container) => mains.includes(container.name))) return undefined;
  return { role: 'Sidecar', because: { kind: 'ArgoWorkflow' } };
};
