import { shortened } from '../../pod/bounds.ts';
import { jobOf } from '../../pod/owner.ts';
import type { Source } from './source.ts';

/**
 * A Job's template is immutable, so a container that is in the pod but not in the template was added by an
 * admission webhook. A container in the template may be either: people write sidecars there too.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#mutable-scheduling-directives
 */
export const notInJobTemplate: Source = (pod, { facts }) => {
  const owner = jobOf(pod);
  const listed = owner && facts.jobContainers.get(owner.uid);
  if (!listed) return () => undefined;
  const template = new Set(listed);
  const because = { kind: 'NotInJobTemplate', job: shortened(owner.name) } as const;
  return ({ name }) => (template.has(name) ? undefined : { role: 'Sidecar', because });
};
