import type { Source } from './source.ts';

/** Argo's own containers, which save the outputs after the work: ending them would lose artifacts. */
const executors: readonly string[] = ['wait', 'supervisor'];

/**
 * Argo Workflows: the containers of the template do the work, `wait` saves the outputs, and all others are
 * sidecars. If the template is unknown, nothing is said about the others.
 */
export const argoContainer: Source = ({ argo, containers }) => {
  if (!argo) return () => undefined;
  const mains = new Set(argo.mains);
  const isTemplateKnown = containers.some(({ name }) => mains.has(name));
  return ({ name }) => {
    if (executors.includes(name) || mains.has(name))
      return { role: 'Main', because: { kind: 'ArgoWorkflow' } };
    return isTemplateKnown ? { role: 'Sidecar', because: { kind: 'ArgoWorkflow' } } : undefined;
  };
};
