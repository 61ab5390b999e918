import * as z from 'zod';
import { bounds } from '../model/bounds.ts';
import type { AttemptResult } from '../model/outcome.ts';
import { toWriteAttempt } from './attempt.ts';
import { signalsPid1, whyCallsAreUnfit, whySignalsAreUnfit } from './command.ts';
import { defineMethod, fromOutside, type StepCommon, writtenStep } from './method.ts';
import { rule } from './permissions.ts';

export interface EphemeralContainerStep extends StepCommon {
  readonly method: 'EphemeralContainer';
  readonly image: string;
  readonly command: readonly string[];
}

/** Sends a signal from an ephemeral container in the sidecar's PID namespace: for images without a shell. */
export const ephemeralContainer = defineMethod({
  name: 'EphemeralContainer',
  ends: 'Sidecars',
  rbac: [rule('', 'pods/ephemeralcontainers', 'patch')],
  written: writtenStep('EphemeralContainer', {
    ephemeralContainer: z
      .strictObject({
        image: z.string().min(1).describe('an image with a shell'),
        command: z
          .array(z.string().min(1))
          .min(1)
          .default(['/bin/sh', '-c', 'kill -15 1'])
          .describe('what it runs; by default a TERM to PID 1'),
      })
      .describe("an ephemeral container in the sidecar's PID namespace"),
  }),
  whyUnfit: ({ ephemeralContainer: { command } }, { pod }) =>
    pod.ephemeralContainers.length >= bounds.ephemeralContainers
      ? { reason: 'OverBound', detail: `the pod has ${pod.ephemeralContainers.length} ephemeral containers` }
      : (whyCallsAreUnfit(pod, command) ?? whySignalsAreUnfit(pod, signalsPid1(command))),
  isAdmitted: () => true,
  toSteps: (spec, common): readonly EphemeralContainerStep[] => [
    { ...fromOutside(common), method: 'EphemeralContainer', ...spec.ephemeralContainer },
  ],
  describeSpec: (spec) => `from beside: ${spec.ephemeralContainer.command.join(' ')}`,
  describe: (step) => `run ${step.command.join(' ')} beside it, in ${step.image}`,
  async send({ image, command }, { cluster, pod, containers, isStill, abort }) {
    let sent: AttemptResult | undefined;
    for (const target of containers) {
      const container = { target, image, command };
      const result = toWriteAttempt(await cluster.addEphemeralContainer(pod, container, abort, isStill));
      if (sent && (result.kind === 'Busy' || result.kind === 'Undelivered')) {
        // Not every sidecar was reached, so this must not count as a step that had no effect.
        return { kind: 'Unconfirmed', message: `${target} was not reached: ${result.message}` };
      }
      const wasWritten = result.kind === 'Accepted' || result.kind === 'Unconfirmed';
      // Those that were written may end their sidecars, even if the next one failed.
      if (!wasWritten) return sent ?? result;
      if (sent?.kind !== 'Unconfirmed') sent = result;
    }
    return sent ?? { kind: 'Accepted' };
  },
});
