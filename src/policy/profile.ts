import * as z from 'zod';
import { stepSpec } from '../methods/index.ts';
import { matchesGlob, matchesMirrored, matchesRepository } from '../model/image.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import { type Sign, shows, sign } from '../model/signs.ts';
import { sentences } from '../util/text.ts';
import { repository } from './rules.ts';

export const profile = z
  .strictObject({
    name: z.string().min(1).describe('its name in reports'),
    containers: z
      .array(z.string().min(1).max(256))
      .min(1)
      .describe('names of containers; `*` stands for any characters'),
    images: z
      .array(repository)
      .min(1)
      .describe(
        'repositories, compared from the end of the path: `istio/proxyv2` in any registry, with any tag, also as `mirrored-istio-proxyv2`',
      ),
    shows: z.array(sign).min(1).optional().describe('matches only if the pod shows one of these'),
    mesh: z.literal(true).optional().describe('other sidecars talk through it, so it is ended after them'),
    steps: z
      .array(stepSpec)
      .describe("tried in this order, after the pod's own kill command and before signals"),
    notes: z.string().optional().describe('differences between versions, and other facts'),
    source: z.string().optional().describe('where the facts come from'),
  })
  .describe('a known sidecar, and how to end it');

/** A parsed profile. The catalogue's also have what a policy file cannot, such as cures. */
export interface Profile extends z.output<typeof profile> {
  readonly cure?: Cure;
  readonly native?: Native;
  /**
   * Others connect to a database or another server through it. `endsIf`: signs that mains may end it themselves; left out if it may
   * also stand in front of mains, so that they need not hang without it.
   */
  readonly tunnel?: { readonly endsIf?: readonly Sign[] };
  /** It is ended after all others, always or with one of these signs: they may need it, or it ends by itself. */
  readonly endsLast?: true | readonly Sign[];
}

export type ProfileInput = z.input<typeof profile>;

/**
 * An entry of the catalogue. Name and image must both match, because a main container may also be called `vault-agent`. The
 * gentlest step comes first. A step has an exit code only if the source code or the documentation of the sidecar states it. If
 * `native` is omitted, it is native only if its template makes it so.
 */
export type Entry = ProfileInput & Pick<Profile, 'cure' | 'tunnel' | 'endsLast' | 'native'>;

/** Whether the tool that adds the sidecar to pods makes it a native one. */
export type Native = (
  | { readonly kind: 'Switch'; readonly since: string; readonly by: string }
  /** People write it into templates, under initContainers if they like. */
  | { readonly kind: 'Template' }
  | { readonly kind: 'Never'; readonly because: string }
) & {
  readonly source: string;
  /** Where it is known that its injector adds no second one if an admission policy has moved the first. */
  readonly secondRun?: string;
};

export const inTemplates: Native = { kind: 'Template', source: 'kubernetes/enhancements#753' };

/** Since when a sidecar can be native, and how, in words. */
export const describeNative = sentences<Native>({
  Switch: ({ since, by }) => `native since ${since}, by ${by}`,
  Template: 'native since Kubernetes 1.29, if its template has it under initContainers',
  Never: ({ because }) => `never native: ${because}`,
});

interface Cure {
  /** If a pod shows one of these, an injector added the sidecar. */
  readonly injectedIf?: readonly Sign[];
  /** The best one first. */
  readonly switches: readonly Switch[];
}

/** A setting of the injector or of the sidecar. */
export interface Switch {
  /** The first versions that have it, by the sidecar's tag, of each release line. Every version, if omitted. */
  readonly since?: readonly string[];
  /** The first versions that have something better. */
  readonly until?: readonly string[];
  /** Only if the pod shows one of these, or not if it does. */
  readonly when?: readonly Sign[];
  readonly unless?: readonly Sign[];
  /** An annotation of the pod that sets it. */
  readonly annotation?: { readonly key: string; readonly value: string };
  /** Steps to take besides setting the annotation. */
  readonly does?: string;
  readonly changes: string;
  /** Whether it makes the container a native sidecar. */
  readonly native?: true;
  /** The kubelet version that the injector requires of every node to do so by itself. */
  readonly kubelets?: string;
  readonly source: string;
}

/** The first profile that matches a container by name, image and, if the profile requires one, a sign. */
export function findProfile(
  catalogue: readonly Profile[],
  pod: Pick<PodView, 'annotations'>,
  container: Pick<ContainerView, 'name' | 'image' | 'command' | 'args' | 'env'>,
): Profile | undefined {
  return catalogue.find(
    (profile) =>
      isNamedLike(profile, container) &&
      (profile.shows === undefined || profile.shows.some((sign) => shows(sign, pod, container))),
  );
}

export function isNamedLike(
  { containers, images }: Profile,
  { name, image }: Pick<ContainerView, 'name' | 'image'>,
): boolean {
  return (
    containers.some((pattern) => matchesGlob(pattern, name)) &&
    images.some((pattern) => matchesRepository(pattern, image) || matchesMirrored(pattern, image))
  );
}
