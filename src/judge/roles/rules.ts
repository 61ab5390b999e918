import { fitsRule } from '../../policy/rules.ts';
import type { Source } from './source.ts';

/** The policy's rules; the first that matches decides. */
export const fitsPolicyRule: Source = ({ name, image }, pod, { policy }) => {
  const subject = {
    container: name,
    image,
    namespace: pod.ref.namespace,
    labels: pod.labels,
    ownerKind: pod.owner?.kind,
  };
  const rule = policy.rules.find((each) => fitsRule(each, subject));
  return rule && { role: rule.role, because: { kind: 'Rule', rule: rule.name } };
};
