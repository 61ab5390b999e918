import type { AttemptResult, EphemeralContainerStep } from '../vocabulary.ts';
import type { PodMethod } from './method.ts';
import { toWriteAttempt } from './write-attempt.ts';

/** Sends a signal from a container of its own in the sidecar's PID namespace: for images without a shell. */
export const ephemeralContainer: PodMethod<EphemeralContainerStep> = {
  flag: 'ephemeral-container',
  rbac: [{ apiGroups: [''], resources: ['pods/ephemeralcontainers'], verbs: ['patch'] }],
  price:
    "stays in the pod's spec for ever, pulls an image, and may be forbidden by the namespace's pod security",
  async send(cluster, pod, containers, { image, command }, signal) {
    let written: AttemptResult | undefined;
    for (const target of containers) {
      const result = toWriteAttempt(
        await cluster.addEphemeralContainer(pod, { target, image, command }, signal),
      );
      // One that was written may end its sidecar, whatever became of the next.
      if (result.kind !== 'Accepted' && result.kind !== 'Unconfirmed') return written ?? result;
      written = result;
    }
    return written ?? { kind: 'Undelivered', message: 'no container is left' };
  },
};
