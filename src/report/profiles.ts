import * as z from 'zod';
import { describeSpec, type StepSpec } from '../methods/index.ts';
import { method, type Value } from '../model/schema.ts';
import { describeSign } from '../model/signs.ts';
import { describeNative, type Profile } from '../policy/profile.ts';
import { formatDuration } from '../util/time.ts';
import type { Column } from './columns.ts';
import { apiVersion } from './schema.ts';
import type { Block, View } from './view.ts';

const step = z.object({
  method,
  does: z.string().describe('the step in words'),
  exitCode: z.int().optional().describe('the code with which the sidecar then exits; missing if unknown'),
  graceMs: z
    .int()
    .optional()
    .describe("how long it may take, in milliseconds; if missing, the pod's own grace period"),
  when: z.array(z.string()).optional().describe('only if the pod shows one of these'),
  unless: z.array(z.string()).optional().describe('not if the pod shows one of these'),
});

const knownSidecar = z.object({
  name: z.string().describe('the name of the profile'),
  containers: z.array(z.string()).describe('names of containers; `*` stands for any characters'),
  images: z.array(z.string()).describe('repositories, compared from the end of the path, with any tag'),
  mesh: z.literal(true).optional().describe('other sidecars talk through it, so it is ended after them'),
  shows: z.array(z.string()).optional().describe('matches only if the pod shows one of these'),
  steps: z.array(step).describe('tried in this order'),
  notes: z.string().optional().describe('differences between versions, and other facts'),
  native: z
    .string()
    .optional()
    .describe('since when it can be a native sidecar and how, or why it cannot; with the source'),
  source: z.string().optional().describe('where the facts come from'),
});

/** The output of `profiles`. */
export const profileList = z
  .object({
    apiVersion,
    kind: z.literal('ProfileList'),
    profiles: z.array(knownSidecar).describe('the profiles; the first one that matches a container is used'),
  })
  .describe('The known sidecars, and how each is ended');

export type ProfileList = Value<typeof profileList>;
type KnownSidecar = ProfileList['profiles'][number];

/** The catalogue for machines. */
export function reportProfiles(profiles: readonly Profile[]): ProfileList {
  return {
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'ProfileList',
    profiles: profiles.map(
      ({ shows, steps, notes, native, source, cure: _cure, database: _database, ...profile }) => ({
        ...profile,
        ...(shows && { shows: shows.map(describeSign) }),
        steps: steps.map(reportSpec),
        ...(notes !== undefined && { notes }),
        ...(native && { native: `${describeNative(native)} (${native.source})` }),
        ...(source !== undefined && { source }),
      }),
    ),
  };
}

function reportSpec(spec: StepSpec): Value<typeof step> {
  const { method, exitCode, grace, when, unless } = spec;
  return {
    method,
    does: describeSpec(spec),
    ...(exitCode !== undefined && { exitCode }),
    ...(grace !== undefined && { graceMs: grace }),
    ...(when && { when: when.map(describeSign) }),
    ...(unless && { unless: unless.map(describeSign) }),
  };
}

/** The profiles that these words name: each by its own name, or by that of a container. */
export function profilesNamed(words: readonly string[], profiles: readonly Profile[]): NamedProfiles {
  const named = words.map((word) => profiles.filter((profile) => isNamed(word, profile)));
  const unknown = words.filter((_word, index) => named[index]?.length === 0);
  return { found: profiles.filter((profile) => named.flat().includes(profile)), unknown };
}

export interface NamedProfiles {
  /** In the order of the catalogue, each once. */
  readonly found: readonly Profile[];
  readonly unknown: readonly string[];
}

function isNamed(word: string, { name, containers }: Profile): boolean {
  return name === word || containers.includes(word);
}

const columns: readonly Column[] = [
  { title: 'STEP' },
  { title: 'EXIT CODE', worth: 2, isProse: true },
  { title: 'IF', worth: 1, isProse: true },
];

/** The catalogue for people: a section for each profile, with its steps in order. */
export function profilesView({ profiles }: ProfileList): View {
  return { sections: profiles.map(sectionOf) };
}

function sectionOf({
  name,
  containers,
  images,
  shows,
  steps,
  notes,
  native,
  source,
}: KnownSidecar): readonly Block[] {
  const rows = steps.map(({ does, exitCode, graceMs, when, unless }, index) => [
    `${index + 1}. ${does}`,
    exitCode === undefined ? 'exit code unknown' : `ends with ${exitCode}`,
    [
      ...(graceMs === undefined ? [] : [`within ${formatDuration(graceMs)}`]),
      ...(when ? [`if ${when.join(' or ')}`] : []),
      ...(unless ? [`unless ${unless.join(' or ')}`] : []),
    ].join(', '),
  ]);
  const shown = shows ? `, if ${shows.join(' or ')}` : '';
  const facts = [
    ...(notes === undefined ? [] : [notes]),
    ...(native === undefined ? [] : [native]),
    ...(source === undefined ? [] : [`Source: ${source}`]),
  ];
  return [
    {
      kind: 'Heading',
      text: `${name}: container ${containers.join(', ')} of image ${images.join(', ')}${shown}`,
    },
    { kind: 'Table', columns, rows, isInner: true },
    { kind: 'Items', items: facts.map((text) => ({ text, level: 1 })) },
  ];
}
