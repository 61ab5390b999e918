import type { CureAdvice } from '../../advise/advice.ts';
import { printable } from '../../printable.ts';
import { escaped, markdownList, markdownParts, markdownRows } from '../markdown.ts';
import { describeWhy } from '../texts/why-stuck.ts';
import type { Advice, AdvisedOwner } from './advice.ts';
import { adviceHead, adviceNotes, adviceSum, longestLine } from './text.ts';

/** The advice for a page or an issue: a section for each owner. */
export function adviceMarkdown(advice: Advice): string {
  const sections = advice.owners.flatMap((owner) => [
    `## ${escaped(adviceHead(owner, advice.asOf))}`,
    markdownRows(['SIDECAR', 'IMAGE', 'WHY'], owner.sidecars.map(whyRow)),
    ...owner.cures.flatMap(cureParts),
  ]);
  return markdownParts(...sections, markdownList(adviceNotes(advice)), adviceSum(advice));
}

function whyRow({ name, image, why }: AdvisedOwner['sidecars'][number]): readonly string[] {
  return [name, image, why.map(describeWhy).join('; ')];
}

function cureParts(cure: CureAdvice): readonly string[] {
  const { containers, does, changes, versions, first, command, source } = cure;
  const version = versions === undefined ? '' : ` (its version is unknown; this is for those ${versions})`;
  const facts = [...first.map((before) => `first: ${before}`), `changes: ${changes}`, `source: ${source}`];
  return [
    `Cure for ${escaped(`${containers.join(', ')}${version}: ${does}`)}`,
    markdownList(facts),
    command === undefined ? '' : fenced(printable(command, longestLine)),
  ];
}

/** Code that may itself hold fences: its own are longer. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${code}\n${fence}`;
}
