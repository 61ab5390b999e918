import type { Source } from './source.ts';

/**
 * A Job's template cannot be changed, so a container that a pod of it has and the template has not was added on
 * the way, by an admission webhook. That the template has a container says nothing: people write sidecars there too.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#mutable-scheduling-directives
 */
export const notInJobTemplate: Source = ({ name }, { owner }, { facts }) => {
  if (owner?.kind !== 'Job') return undefined;
  const template = facts.jobContainers.get(owner.uid);
  if (!template || template.includes(name)) return undefined;
  return { role: 'Sidecar', because: { kind: 'NotInJobTemplate', job: owner.name } };
};
