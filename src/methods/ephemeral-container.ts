import * as z from 'zod';
import { bounds } from '../model/bounds.ts';
import type { AttemptResult } from '../model/outcome.ts';
import { toWriteAttempt } from './attempt.ts';
import { signalsPid1, whySignalsAreUnfit } from './command.ts';
import { defineMethod, fromOutside, type StepCommon, specCommon } from './method.ts';

export interface EphemeralContainerStep extends StepCommon {
  readonly method: 'EphemeralContainer';
  readonly image: string;
  readonly command: readonly string[];
}

/** Sends a signal from an ephemeral container in the sidecar's PID namespace: for images without a shell. */
export const ephemeralContainer = defineMethod({
  name: 'EphemeralContainer',
  flag: 'ephemeral-container',
  ends: 'Sidecars',
  rbac: [{ apiGroups: [''], resources: ['pods/ephemeralcontainers'], verbs: ['patch'] }],
  price:
    "stays in the pod's spec for ever, pulls an image, and may be forbidden by the namespace's pod security",
  written: z
    .strictObject({
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
      ...specCommon,
    })
    .transform((spec) => ({ method: 'EphemeralContainer' as const, ...spec })),
  whyUnfit: (spec, { pod }) =>
    pod.ephemeralContainers.length >= bounds.ephemeralContainers
      ? { reason: 'OverBound', detail: `the pod has ${pod.ephemeralContainers.length} ephemeral containers` }
      : whySignalsAreUnfit(pod, signalsPid1(spec.ephemeralContainer.command)),
  isAdmitted: () => true,
  toSteps: (spec, common): readonly EphemeralContainerStep[] => [
    { ...fromOutside(common), method: 'EphemeralContainer', ...spec.ephemeralContainer },
  ],
  describeSpec: (spec) => `from beside: ${spec.ephemeralContainer.command.join(' ')}`,
  describe: (step) => `run ${step.command.join(' ')} beside it, in ${step.image}`,
  async send({ image, command }, { cluster, pod, containers, isStill, abort }) {
    const [first, ...others] = containers;
    const add = async (target: string): Promise<AttemptResult> =>
      toWriteAttempt(await cluster.addEphemeralContainer(pod, { target, image, command }, abort, isStill));
    let written = await add(first);
    for (const target of others) {
      if (!wasWritten(written)) break;
      const result = await add(target);
      // Not every sidecar was reached, so this must not count as a step that had no effect.
      if (result.kind === 'Busy' || result.kind === 'Undelivered') {
        return { kind: 'Unconfirmed', message: `${target} was not reached: ${result.message}` };
      }
      // Those that were written may end their sidecars, even if the next one failed.
      if (!wasWritten(result)) break;
      if (written.kind === 'Accepted') written = result;
    }
    return written;
  },
});

function wasWritten({ kind }: AttemptResult): boolean {
  return kind === 'Accepted' || kind === 'Unconfirmed';
}
