import * as z from 'zod';
import { describeSpec, type StepSpec } from '../methods/index.ts';
import { list, method, object, text, texts, type Value, whole } from '../model/schema.ts';
import { describeSign } from '../model/signs.ts';
import { describeNative, type Profile } from '../policy/profile.ts';
import { formatDuration } from '../util/time.ts';
import { apiVersion } from './schema.ts';
import { type Block, bullets, type View } from './view.ts';

const step = z.object({
  method,
  does: text('the step in words'),
  exitCode: whole('the code with which the sidecar then exits; missing if unknown').optional(),
  graceMs: whole("how long it may take, in milliseconds; if missing, the pod's own grace period").optional(),
  when: texts('only if the pod shows one of these').optional(),
  unless: texts('not if the pod shows one of these').optional(),
});

const knownSidecar = z.object({
  name: text('the name of the profile'),
  containers: texts('names of containers; `*` stands for any characters'),
  images: texts('repositories, compared from the end of the path, with any tag'),
  mesh: z.literal(true).optional().describe('other sidecars talk through it, so it is ended after them'),
  shows: texts('matches only if the pod shows one of these').optional(),
  steps: list('tried in this order', step),
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
type KnownSidecar = ProfileList['profiles'][number];

export function reportProfiles(profiles: readonly Profile[]): ProfileList {
  return {
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'ProfileList',
    profiles: profiles.map(
      ({ shows, steps, notes, native, source, cure: _cure, database: _database, ...profile }) => ({
        ...profile,
        shows: shows?.map(describeSign),
        steps: steps.map(reportSpec),
        notes,
        native: native && `${describeNative(native)} (${native.source})`,
        source,
      }),
    ),
  };
}

function reportSpec(spec: StepSpec): Value<typeof step> {
  const { method, exitCode, grace, when, unless } = spec;
  return {
    method,
    does: describeSpec(spec),
    exitCode,
    graceMs: grace,
    when: when?.map(describeSign),
    unless: unless?.map(describeSign),
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

function sectionOf(profile: KnownSidecar): readonly Block[] {
  const { name, containers, images, shows, steps, notes = [], native = [], source } = profile;
  const shown = shows ? `, if ${shows.join(' or ')}` : '';
  const text = `${name}: container ${containers.join(', ')} of image ${images.join(', ')}${shown}`;
  const numbered = steps.map((step, index) => `${index + 1}. ${describeKnownStep(step)}`);
  const facts = [notes, native, source === undefined ? [] : `Source: ${source}`].flat();
  return [{ kind: 'Heading', text }, bullets([...numbered, ...facts])];
}

function describeKnownStep({ does, exitCode, graceMs, when, unless }: KnownSidecar['steps'][number]): string {
  return [
    does,
    exitCode === undefined ? 'exit code unknown' : `ends with ${exitCode}`,
    ...(graceMs === undefined ? [] : [`within ${formatDuration(graceMs)}`]),
    ...(when ? [`if ${when.join(' or ')}`] : []),
    ...(unless ? [`unless ${unless.join(' or ')}`] : []),
  ].join(', ');
}
