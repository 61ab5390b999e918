import { shortened } from '../../pod/bounds.ts';
import { jobOf } from '../../pod/owner.ts';
import { isNamedLike } from '../../policy/match.ts';
import type { Profile } from '../../policy/profile.ts';
import type { InitContainerView } from '../../vocabulary/container.ts';
import type { Hang } from '../../vocabulary/hang.ts';
import type { Subject } from '../checks/subject.ts';
import { type HangCheck, runningSince } from './hang-check.ts';

/**
 * An old webhook or client that writes the pod back drops what it does not know, `restartPolicy` of an init container as well. What
 * was a native sidecar then has to end before anything else starts, and never does.
 * (aws/aws-app-mesh-controller-for-k8s#774, aws/amazon-eks-pod-identity-webhook#208, arangodb/kube-arangodb#1677)
 */
export const restartPolicyDropped: HangCheck = {
  entails: ['NotRunning', 'NoSidecar', 'NoRunningSidecar', 'MainWaiting'],
  find(subject, now, minAge) {
    for (const init of subject.pod.initContainers) {
      const since = runningSince(init.state, now, minAge);
      // Only one ordinary init container runs at a time.
      if (since !== undefined) {
        const hang = meantAsNative(init, subject);
        return hang && { hang, since };
      }
    }
    return undefined;
  },
};

/** Whether the Job's template has it as a native sidecar, or an injector that makes native sidecars adds it. */
function meantAsNative(
  init: InitContainerView,
  { pod, facts, policy }: Pick<Subject, 'pod' | 'facts' | 'policy'>,
): Hang | undefined {
  const dropped = { kind: 'RestartPolicyDropped', container: init.name } as const;
  const job = jobOf(pod);
  if (job && facts.jobNativeSidecars.get(job.uid)?.includes(init.name)) {
    return { ...dropped, job: shortened(job.name) };
  }
  const profile = policy.catalogue.find((one) => isMadeNative(one) && isNamedLike(one, init));
  return profile && { ...dropped, profile: profile.name };
}

/** Others may be run to their end on purpose: Vault's agent has a flag for that. */
function isMadeNative({ cure, shows }: Profile): boolean {
  return shows === undefined && cure !== undefined && cure.switches.some(({ native }) => native);
}
