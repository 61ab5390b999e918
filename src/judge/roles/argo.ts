import type { Source } from './source.ts';

const executors: readonly string[] = ['wait', 'supervisor'];
const because = { kind: 'ArgoWorkflow' } as const;

/** Argo's own containers, which save the outputs after the work: ending them would lose artifacts. */
export const awaitedByArgo: Source =
  ({ argo }) =>
  ({ name }) =>
    argo && executors.includes(name) ? { role: 'Main', because } : undefined;

/**
 * Argo Workflows: the containers of the template do the work, and all others but Argo's own are sidecars. If the template is
 * unknown, nothing is said about the others.
 */
export const argoContainer: Source = ({ argo, containers }) => {
  if (!argo) return () => undefined;
  const mains = new Set(argo.mains);
  const isTemplateKnown = containers.some(({ name }) => mains.has(name));
  return ({ name }) => {
    if (executors.includes(name)) return undefined;
    if (mains.has(name)) return { role: 'Main', because };
    return isTemplateKnown ? { role: 'Sidecar', because } : undefined;
  };
};
