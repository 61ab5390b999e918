import { jobOf } from '../../pod/owner.ts';
import type { Source } from './source.ts';

/**
 * A Job's template is immutable, so a container that is in the pod but not in the template was added by an
 * admission webhook. A container in the template may be either: people write sidecars there too.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#mutable-scheduling-directives
 */
export const notInJobTemplate: Source = ({ name }, pod, { facts }) => {
  const owner = jobOf(pod);
  if (!owner) return undefined;
  const template = facts.jobContainers.get(owner.uid);
  if (!template || template.includes(name)) return undefined;
  return { role: 'Sidecar', because: { kind: 'NotInJobTemplate', job: owner.name } };
};
