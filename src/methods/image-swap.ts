import * as z from 'zod';
import { UsageError } from '../usage-error.ts';
import { defineMethod, fromOutside, type StepCommon, specCommon } from './method.ts';
import { hasProgram } from './noop-image.ts';
import { toWriteAttempt } from './write-attempt.ts';

export interface ImageSwapStep extends StepCommon {
  readonly method: 'ImageSwap';
  readonly image: string;
  /** The programs that the image has; undefined stands for those of the shipped image. */
  readonly programs: readonly string[] | undefined;
}

/**
 * Replaces the image with one that does nothing. The kubelet then ends the container itself, from outside: preStop hook, the
 * image's stop signal, grace period, KILL; and starts the new image, which exits 0, whatever the restart policy. Nothing
 * inside can resist, and the pod succeeds.
 */
export const imageSwap = defineMethod({
  name: 'ImageSwap',
  flag: 'image-swap',
  ends: 'Pod',
  rbac: [{ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }],
  price: "the old container's logs are gone, and patch on pods can change more than images",
  written: z
    .strictObject({
      imageSwap: z
        .strictObject({
          image: z.string().min(1).describe('an image in which every program exits 0'),
          commands: z
            .array(z.string())
            .optional()
            .describe('programs that the image has; a container that sets another command causes a warning'),
        })
        .describe('the image is replaced with one that does nothing; the kubelet ends the container itself'),
      ...specCommon,
    })
    .transform((spec) => ({ method: 'ImageSwap' as const, ...spec })),
  fromFlag({ noopImage }) {
    if (noopImage === undefined) throw new UsageError('--last-resort image-swap needs --noop-image');
    return { imageSwap: { image: noopImage } };
  },
  whyUnfit: () => undefined,
  isAdmitted: () => true,
  toSteps: (spec, common, { container }): readonly ImageSwapStep[] => {
    const { image, commands } = spec.imageSwap;
    // Whatever ended, the no-op image exits 0; without the container's program it ends as StartError, with 128.
    const program = container.command?.[0];
    const exitCode = program === undefined || hasProgram(program, commands) ? 0 : undefined;
    return [{ ...fromOutside(common), method: 'ImageSwap', image, programs: commands, exitCode }];
  },
  doubt({ image: noop, programs }, { command, image }) {
    // Without a command of its own, a container runs the entrypoint of the new image.
    const program = command?.[0];
    if (program === undefined || hasProgram(program, programs)) return undefined;
    return { kind: 'NoopMayNotStart', noop, image, program, containers: 1 };
  },
  newImage: (step) => step.image,
  describeSpec: (spec) => `swap the image for ${spec.imageSwap.image}`,
  describe: (step) => `swap the image for ${step.image}`,
  async send({ image }, { cluster, pod, containers, abort }) {
    const swaps = containers.map((container) => ({ container, image }));
    return toWriteAttempt(await cluster.swapImages(pod, swaps, abort));
  },
});
