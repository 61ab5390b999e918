import { imageBeforeSwap } from '../../pod/before-swap.ts';
import { noopImages } from '../../policy/noop-images.ts';
import { fitsRule } from '../../policy/rules.ts';
import type { Source } from './source.ts';

/** The policy's rules; the first that matches decides. */
export const fitsPolicyRule: Source = ({ ref, labels, owner }, { policy }) => {
  const ofPod = { namespace: ref.namespace, labels, ownerKind: owner?.kind };
  const noops = noopImages(policy);
  return (container) => {
    const subject = { ...ofPod, container: container.name, image: imageBeforeSwap(container, noops) };
    const rule = policy.rules.find((each) => fitsRule(each, subject));
    return rule && { role: rule.role, because: { kind: 'Rule', rule: rule.name } };
  };
};
