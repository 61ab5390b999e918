import { escaped, markdownList, markdownParts, markdownRows } from '../markdown.ts';
import { answer } from './answer.ts';
import type { PodExplanation } from './explanation.ts';
import {
  aboutThePod,
  checkHead,
  checkRow,
  containerHead,
  containerRow,
  explanationNotes,
  folded,
  planLines,
  type Shown,
  shownChecks,
} from './text.ts';

/** The explanation for a page or an issue. */
export function explanationMarkdown(explained: PodExplanation, shown: Shown): string {
  const { containers, checks, plan } = explained;
  const rows = shownChecks(checks, shown).map(checkRow);
  return markdownParts(
    escaped(answer(explained)),
    escaped(aboutThePod(explained)),
    markdownRows(containerHead, containers.map(containerRow)),
    rows.length > 0 ? markdownRows(checkHead, rows) : '',
    markdownList(folded(checks, shown)),
    plan ? `A sweep would now:\n\n${markdownList(planLines(plan))}` : '',
    markdownList(explanationNotes(explained)),
  );
}
