import * as z from 'zod';
import { stepSpec } from '../methods/index.ts';
import { type Sign, sign } from '../model/signs.ts';
import type { Cure } from './cure.ts';

export const writtenSteps = z.array(stepSpec);

/** A known sidecar, and how to end it. */
export const profile = z
  .strictObject({
    name: z.string().min(1).describe('its name in reports'),
    containers: z
      .array(z.string().min(1).max(256))
      .min(1)
      .describe('names of containers; `*` stands for any characters'),
    images: z
      .array(z.string().min(1).max(256))
      .min(1)
      .describe(
        'repositories, compared from the end of the path: `istio/proxyv2` in any registry, with any tag, also as `mirrored-istio-proxyv2`',
      ),
    shows: z.array(sign).min(1).optional().describe('matches only if the pod shows one of these'),
    mesh: z.literal(true).optional().describe('other sidecars talk through it, so it is ended after them'),
    steps: writtenSteps.describe("tried in this order, after the pod's own kill command and before signals"),
    notes: z.string().optional().describe('differences between versions, and other facts'),
    source: z.string().optional().describe('where the facts come from'),
  })
  .describe('a known sidecar, and how to end it');

/** A profile once it is parsed. */
export interface Profile extends z.output<typeof profile> {
  /** How pods stop getting stuck on it; only the catalogue knows. */
  readonly cure?: Cure;
  /** Mains reach their database through it, and may end it when they are done with that if it shows a sign; only the catalogue knows. */
  readonly database?: { readonly endsIf: readonly Sign[] };
}

export type ProfileInput = z.input<typeof profile>;

/**
 * An entry of the catalogue. Name and image must both match, because a main container may also be called `vault-agent`. The
 * gentlest step comes first. An exit code is given only if the source code or the documentation of the sidecar states it. Policy
 * files use the same format, without the cures and what is known of databases.
 */
export type Entry = ProfileInput & Pick<Profile, 'cure' | 'database'>;
