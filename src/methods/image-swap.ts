import { relative, resolve } from 'node:path/posix';
import * as z from 'zod';
import { shortened } from '../model/bounds.ts';
import {
  exampleImage,
  imageReference,
  isShippedNoop,
  type NoopImage,
  type NoopPrograms,
} from '../model/image.ts';
import type { ContainerView } from '../model/pod.ts';
import type { Millis } from '../util/time.ts';
import { toWriteAttempt } from './attempt.ts';
import { defineMethod, fromOutside, type StepCommon, writtenStep } from './method.ts';
import shipped from './noop-programs.json' with { type: 'json' };
import { rule } from './permissions.ts';

export interface ImageSwapStep extends StepCommon {
  readonly method: 'ImageSwap';
  readonly image: string;
  /** The programs that the image has; undefined if unknown. */
  readonly programs: NoopPrograms | undefined;
  /** The operating system and architecture of the node; undefined if the node was not read. */
  readonly platform?: string | undefined;
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
      'the programs that the image has: `shipped` for the image of this project, otherwise a list; if left out, they are unknown unless the image is called sidecar-sweeper/noop or sidecar-sweeper-noop',
    ),
});

/** Whether a node can start the image of this project, which is built for two architectures (images/noop.mjs). */
function mayRunOn(platform: string): boolean {
  // A virtual kubelet may leave it empty, or write it in its own way.
  const [, architecture = 'amd64'] = /^linux\/(\w+)/i.exec(platform) ?? [];
  return ['amd64', 'arm64'].includes(architecture.toLowerCase());
}

const wordsOf = (lines: readonly string[]) => lines.flatMap((line) => line.split(' '));

/** Every program of the shipped image: its paths, and the names under which PATH finds it. */
const shippedPrograms: readonly string[] = [
  ...wordsOf(shipped.paths),
  ...wordsOf(shipped.names).flatMap((name) => [
    name,
    ...shipped.folders.map((folder) => `${folder}/${name}`),
  ]),
];

/** The programs of a no-op image, as the policy lists them; this project's image is also recognised by its name. */
function programsOf({ image, commands }: NoopImage): NoopPrograms | undefined {
  return commands ?? (isShippedNoop(image) ? 'shipped' : undefined);
}

/** Whether a no-op image is known to have a program; undefined means the image's own entrypoint. */
export function hasProgram(program: string | undefined, programs: NoopPrograms | undefined): boolean {
  if (programs === undefined) return false;
  if (program === undefined) return true;
  return (programs === 'shipped' ? shippedPrograms : programs).includes(program);
}

/**
 * The program that a container starts; undefined for the image's own entrypoint. Without a command, the arguments go to the
 * entrypoint; an image that is not ours may have none, and the first argument is then the program.
 */
function startedProgram(
  { command, args }: Pick<ContainerView, 'command' | 'args'>,
  programs: NoopPrograms | undefined,
): string | undefined {
  return command?.[0] ?? (programs === 'shipped' ? undefined : args?.[0]);
}

/** The PATH of the shipped image, and of most others. */
const path = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Why a container may not exit with 0 with a no-op image, and what to do about it; undefined if it is known to exit with 0. */
function whyEndUnknown(
  { image, programs }: Pick<ImageSwapStep, 'image' | 'programs'>,
  {
    pullPolicy,
    setsPath,
    mounts,
    ...started
  }: Pick<ContainerView, 'command' | 'args' | 'pullPolicy' | 'setsPath' | 'mounts'>,
  platform = '',
): string | undefined {
  if (programs === 'shipped' && !mayRunOn(platform)) {
    return `${image} is built for linux/amd64 and linux/arm64, and the node is ${platform}: name an image that the node can run, and list its programs under imageSwap.commands of the policy`;
  }
  if (pullPolicy === 'Never') {
    return `the container's imagePullPolicy is Never, and nodes that lack ${image} do not pull it: if its node has the image, sweep this pod by name with --unclean-exit=allow`;
  }
  if (pullPolicy === 'Always' && !image.includes('/')) {
    return `the container's imagePullPolicy is Always, and Docker Hub has no official image ${image}: name the no-op image with its registry`;
  }
  const program = startedProgram(started, programs);
  if (programs === undefined) {
    const list = JSON.stringify(program === undefined ? [] : [program]);
    return `it is not known which programs ${image} has: list the programs that exit with 0 under imageSwap.commands of the policy: ${list}`;
  }
  if (program === undefined) return undefined;
  const named = shortened(program);
  if (!hasProgram(program, programs)) {
    return `${image} is not known to have ${named}: add ${named} to the image, and to imageSwap.commands of the policy`;
  }
  if (program.includes('/')) return undefined;
  const places = path.map((folder) => `${folder}/${program}`);
  const mount = mounts.find((each) => places.some((place) => isWithin(place, each)));
  if (!setsPath && mount === undefined) return undefined;
  const why = setsPath ? 'which env or envFrom of the container sets' : `and a volume is mounted at ${mount}`;
  return `${named} is looked up in PATH, ${why}: if PATH finds ${named} in the image, sweep this pod by name with --unclean-exit=allow`;
}

/** A path may be written in several ways: `/usr//bin`, `/usr/./bin`, `/usr/lib/../bin/`. */
function isWithin(path: string, mount: string): boolean {
  const way = relative(resolve('/', mount), resolve('/', path));
  return way !== '..' && !way.startsWith('../');
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
  ends: 'Sidecars',
  rbac: [rule('', 'pods', 'patch')],
  written: writtenStep('ImageSwap', {
    imageSwap: noopImage.describe(
      'the image is replaced with one that does nothing; the kubelet ends the container itself',
    ),
  }),
  whyUnfit({ imageSwap: swap }, { container: { image, ranImage, command, mounts } }) {
    // Otherwise, an earlier swap may be under way.
    if (image === swap.image && (ranImage === image || ranImage?.endsWith(`/${image}`)))
      return { reason: 'NoPath', detail: `the container has the image ${image} already` };
    const program = command?.[0];
    const mount = mounts.find((each) => program !== undefined && isWithin(program, each));
    if (mount === undefined) return undefined;
    // Such a container runs the same program with any image (Argo Workflows, kubexit, Tekton).
    return { reason: 'NoPath', detail: `${program} is not in the image but in the volume at ${mount}` };
  },
  isAdmitted: () => true,
  toSteps: (spec, common, { container, platform }): readonly ImageSwapStep[] => {
    const swap = { image: spec.imageSwap.image, programs: programsOf(spec.imageSwap) };
    // If the no-op image lacks its program, the container ends with 128 and the reason StartError.
    const whyUnknown = whyEndUnknown(swap, container, platform);
    const step = fromOutside(common);
    const grace = step.grace + timeToPull;
    const end =
      whyUnknown === undefined
        ? ({ exitCode: 0, promisedBy: 'NoopImage' } as const)
        : { exitCode: undefined, whyUnknown };
    return [{ ...step, grace, method: 'ImageSwap', ...swap, platform, ...end }];
  },
  describeSpec: (spec) => `swap the image for ${spec.imageSwap.image}`,
  describe: (step) => `swap the image for ${step.image}`,
  async send({ image }, { cluster, pod, containers, isStill, abort }) {
    const swaps = containers.map((container) => ({ container, image }));
    return toWriteAttempt(await cluster.swapImages(pod, swaps, { dryRun: false, isStill }, abort));
  },
});
