import * as z from 'zod';
import { shortened } from '../model/bounds.ts';
import { exampleImage, imageReference, type NoopPrograms } from '../model/image.ts';
import type { Millis } from '../util/time.ts';
import { UsageError } from '../util/usage-error.ts';
import { toWriteAttempt } from './attempt.ts';
import { defineMethod, fromOutside, type StepCommon, specCommon } from './method.ts';
import shipped from './noop-programs.json' with { type: 'json' };

export interface ImageSwapStep extends StepCommon {
  readonly method: 'ImageSwap';
  readonly image: string;
  /** The programs that the image has; undefined if unknown. */
  readonly programs: NoopPrograms | undefined;
}

export const noopImage = z.strictObject({
  image: z
    .string()
    .regex(imageReference, `write an image such as ${exampleImage}`)
    .describe('an image in which every program exits 0'),
  commands: z
    .union([z.literal('shipped'), z.array(z.string().min(1))])
    .optional()
    .describe(
      'the programs that the image has: `shipped` for the image of this project, else a list; if left out, the exit code of a swapped container is unknown',
    ),
});

/** Every program of the shipped image, by its path and, found by PATH, by its name. */
const shippedPrograms: readonly string[] = [
  ...shipped.paths,
  ...shipped.names.flatMap((name) => [name, ...shipped.folders.map((folder) => `${folder}/${name}`)]),
];

/**
 * Whether a no-op image is known to have a program. A name does not prove which image it is, so nothing is known unless the
 * operator says so. An undefined program means the image's own entrypoint.
 */
export function hasProgram(program: string | undefined, programs: NoopPrograms | undefined): boolean {
  if (programs === undefined) return false;
  if (program === undefined) return true;
  return (programs === 'shipped' ? shippedPrograms : programs).includes(program);
}

/** A no-op image that the node lacks is pulled after the old container has ended; until then, the status shows the old container. */
const timeToPull: Millis = 60_000;

/**
 * Replaces the image with one that does nothing. The kubelet then ends the container itself, from outside: preStop hook, the
 * image's stop signal, grace period, KILL; and starts the new image, which exits with 0, so that the pod succeeds under any restart
 * policy. No process in the container can prevent it.
 */
export const imageSwap = defineMethod({
  name: 'ImageSwap',
  flag: 'image-swap',
  ends: 'Sidecars',
  rbac: [{ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }],
  price: "the old container's logs are gone, and patch on pods can change more than images",
  written: z
    .strictObject({
      imageSwap: noopImage.describe(
        'the image is replaced with one that does nothing; the kubelet ends the container itself',
      ),
      ...specCommon,
    })
    .transform((spec) => ({ method: 'ImageSwap' as const, ...spec })),
  fromFlag({ noopImage, noopPrograms }) {
    if (noopImage === undefined) throw new UsageError('--last-resort image-swap needs --noop-image');
    return { imageSwap: { image: noopImage, ...(noopPrograms && { commands: noopPrograms }) } };
  },
  whyUnfit(_spec, { container: { command, mounts } }) {
    const program = command?.[0];
    const mount = mounts.find(
      (path) => program === path || program?.startsWith(`${path.replace(/\/$/, '')}/`),
    );
    if (mount === undefined) return undefined;
    // Such a container runs the same program with any image (Argo Workflows, kubexit, Tekton).
    return { reason: 'NoPath', detail: `${program} is not in the image but in the volume at ${mount}` };
  },
  isAdmitted: () => true,
  toSteps: (spec, common, { container }): readonly ImageSwapStep[] => {
    const { image, commands } = spec.imageSwap;
    // If the no-op image lacks the container's program, it ends as StartError, with 128.
    const exitCode = hasProgram(container.command?.[0], commands) ? 0 : undefined;
    const step = fromOutside(common);
    const grace = step.grace + timeToPull;
    return [{ ...step, grace, method: 'ImageSwap', image, programs: commands, exitCode }];
  },
  doubt({ image: noop, programs }, { command, image }) {
    const program = command?.[0];
    if (program === undefined || hasProgram(program, programs)) return undefined;
    return { kind: 'NoopMayNotStart', noop, image, program: shortened(program), containers: 1 };
  },
  newImage: (step) => step.image,
  describeSpec: (spec) => `swap the image for ${spec.imageSwap.image}`,
  describe: (step) => `swap the image for ${step.image}`,
  async send({ image }, { cluster, pod, containers, isStill, abort }) {
    const swaps = containers.map((container) => ({ container, image }));
    return toWriteAttempt(await cluster.swapImages(pod, swaps, { dryRun: false, isStill }, abort));
  },
});
