import * as z from 'zod';
import { describeSpec, type StepSpec } from '../methods/index.ts';
import { list, object, text, texts, type Value } from '../model/schema.ts';
import { describeSign } from '../model/signs.ts';
import { describeNative, type Profile } from '../policy/profile.ts';
import { formatDuration } from '../util/time.ts';
import { apiVersion } from './scan-schema.ts';
import { type Block, bullets, type View } from './view.ts';

const knownSidecar = z.object({
  name: text('the name of the profile'),
  containers: texts('names of containers; `*` stands for any characters'),
  images: texts('repositories, compared from the end of the path, with any tag'),
  mesh: z.literal(true).optional().describe('other sidecars talk through it, so it is ended after them'),
  shows: texts('matches only if the pod shows one of these').optional(),
  steps: texts('how it is ended, tried in this order'),
  notes: text('differences between versions, and other facts').optional(),
  native: text('since when it can be a native sidecar and how, or why it cannot; with the source').optional(),
  source: text('where the facts come from').optional(),
});

export const profileList = object('The known sidecars, and how each is ended', {
  apiVersion,
  kind: z.literal('ProfileList'),
  profiles: list('the profiles; the first one that matches a container is used', knownSidecar),
});

export type ProfileList = Value<typeof profileList>;

export function reportProfiles(profiles: readonly Profile[]): ProfileList {
  return {
    apiVersion: apiVersion.value,
    kind: 'ProfileList',
    profiles: profiles.map(({ name, containers, images, mesh, shows, steps, notes, native, source }) => ({
      ...{ name, containers, images, mesh },
      shows: shows?.map(describeSign),
      steps: steps.map(describeKnownStep),
      notes,
      native: native && `${describeNative(native)} (${native.source})`,
      source,
    })),
  };
}

/** The profiles that these words name: each by its own name, or by that of a container. */
export function profilesNamed(words: readonly string[], profiles: readonly Profile[]) {
  const isNamed = (word: string, { name, containers }: Profile) => name === word || containers.includes(word);
  return {
    found: profiles.filter((profile) => words.some((word) => isNamed(word, profile))),
    unknown: words.filter((word) => !profiles.some((profile) => isNamed(word, profile))),
  };
}

export function profilesView({ profiles }: ProfileList): View {
  return { sections: profiles.map(sectionOf) };
}

function sectionOf(profile: ProfileList['profiles'][number]): readonly Block[] {
  const { name, containers, images, shows, steps, notes = [], native = [], source } = profile;
  const shown = shows ? `, if ${shows.join(' or ')}` : '';
  const text = `${name}: container ${containers.join(', ')} of image ${images.join(', ')}${shown}`;
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`);
  const facts = [notes, native, source === undefined ? [] : `Source: ${source}`].flat();
  return [{ kind: 'Heading', text }, bullets([...numbered, ...facts])];
}

function describeKnownStep(spec: StepSpec): string {
  const { exitCode, grace, when, unless } = spec;
  return [
    describeSpec(spec),
    exitCode === undefined ? 'exit code unknown' : `ends with ${exitCode}`,
    ...(grace === undefined ? [] : [`within ${formatDuration(grace)}`]),
    ...(when ? [`if ${when.map(describeSign).join(' or ')}`] : []),
    ...(unless ? [`unless ${unless.map(describeSign).join(' or ')}`] : []),
  ].join(', ');
}
