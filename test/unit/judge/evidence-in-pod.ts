import type { Evidence } from '../../../src/model/evidence.ts';
import { matchesGlob } from '../../../src/model/image.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import { fitsRule } from '../../../src/policy/rules.ts';
import type { Situation } from '../../builders/arbitrary-situation.ts';

/** Whether the evidence for a sidecar is present in its stated source. */
export function isBackedBy(
  evidence: Evidence,
  { name, image, env }: ContainerView,
  pod: PodView,
  { policy, facts }: Omit<Situation, 'pod'>,
): boolean {
  const { annotations, owner } = pod;
  switch (evidence.kind) {
    case 'Annotation':
      return named(annotations[evidence.key]).includes(name);
    case 'NotListedAsMain': {
      const mains = named(annotations[evidence.key]);
      return mains.length > 0 && !mains.includes(name);
    }
    case 'KillCommand':
      return annotations[evidence.key] !== undefined && evidence.key.endsWith(`kill-cmd-${name}`);
    case 'Variable':
      return env[evidence.name] !== undefined && env[evidence.name] !== 'false';
    case 'InjectionStatus':
      return annotations[evidence.key]?.includes(`"${name}"`) ?? false;
    case 'ArgoWorkflow':
      return pod.argo?.mains?.includes(name) === false;
    case 'Platform':
      return false;
    case 'NotInJobTemplate':
      return evidence.job === owner?.name && facts.jobContainers.get(owner.uid)?.includes(name) === false;
    case 'Rule': {
      const subject = {
        container: name,
        image,
        namespace: pod.ref.namespace,
        labels: pod.labels,
        ownerKind: owner?.kind,
      };
      return policy.rules.some(
        (one) => one.name === evidence.rule && one.role === 'Sidecar' && fitsRule(one, subject),
      );
    }
    case 'Catalogue': {
      const profile = policy.catalogue.find((one) => one.name === evidence.profile);
      const isCalledSo = profile?.containers.some((pattern) => matchesGlob(pattern, name));
      return isCalledSo === true && profile?.images.some((part) => image.includes(part)) === true;
    }
    // The arbitrary policies swap nothing.
    case 'SwappedImage':
    case 'DefaultContainer':
    case 'NoEvidence':
      return false;
  }
}

function named(list = ''): readonly string[] {
  return list.split(',').map((name) => name.trim());
}
