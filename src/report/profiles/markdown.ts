import { escaped, markdownParts, markdownRows } from '../markdown.ts';
import type { ProfileList } from './profiles.ts';

type KnownSidecar = ProfileList['profiles'][number];

/** The catalogue for a page: a section for each profile, with its steps in order. */
export function profilesMarkdown({ profiles }: ProfileList): string {
  return markdownParts(...profiles.flatMap(sectionOf));
}

function sectionOf({ name, containers, images, steps, notes, source }: KnownSidecar): readonly string[] {
  const rows = steps.map(({ does, exitCode, when = [], unless = [] }, index) => [
    String(index + 1),
    does,
    exitCode === undefined ? 'unknown' : String(exitCode),
    when.join(' or '),
    unless.join(' or '),
  ]);
  return [
    `## ${escaped(name)}`,
    `Container ${escaped(containers.join(', '))} of image ${escaped(images.join(', '))}`,
    markdownRows(['', 'STEP', 'EXIT CODE', 'IF', 'UNLESS'], rows),
    notes === undefined ? '' : escaped(notes),
    source === undefined ? '' : `Source: ${escaped(source)}`,
  ];
}
