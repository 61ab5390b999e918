import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import { type PolicyFile, readPolicy } from '../../../src/policy/file.ts';
import { describeEvidence, describeExclusion } from '../../../src/report/texts/reasons.ts';
import { narrowed } from '../../builders/narrowed.ts';
import { now } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { apiPodOf, platformPods } from './platform-pods.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'recipes');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');
const read = (page: string) => readFileSync(join(folder, page), 'utf8');

describe.each(pages)('docs/recipes/%s', (page) => {
  it('says of each pod what a sweep does with it', () => {
    expect(verdictsIn(page)).toEqual(verdictsOn(page));
  });
});

it('every recipe is in the list of recipes', () => {
  expect(Object.keys(platformPods).sort()).toEqual([...pages].sort());
  for (const page of pages) expect(read('README.md')).toContain(`](${page})`);
});

/** The rows of the table whose head is `| the pod | a sweep |`. */
function verdictsIn(page: string): Readonly<Record<string, string>> {
  const [, table = ''] = /^\| the pod \| a sweep \|\n\|.*\n((?:\|.*\n)*)/m.exec(read(page)) ?? [];
  const rows = [...table.matchAll(/^\| (.*?) \| (.*) \|$/gm)];
  return Object.fromEntries(rows.map(([, pod = '', verdict = '']) => [pod, verdict]));
}

function verdictsOn(page: string): Readonly<Record<string, string>> {
  const judged = Object.entries(platformPods[page] ?? {}).map(([title, pod]) => {
    const rules = pod.withPolicy ? (policyIn(page).rules ?? []) : [];
    const facts = { ...noFacts, jobContainers: new Map(pod.template && [['owner-uid', pod.template]]) };
    return [title, describeVerdict(judge(narrowed(apiPodOf(pod)), policy({ rules }), now, facts))];
  });
  return Object.fromEntries(judged);
}

function policyIn(page: string): PolicyFile {
  const [, text = ''] = /^```yaml\n(apiVersion: sidecar-sweeper[\s\S]*?)^```$/m.exec(read(page)) ?? [];
  const policy = readPolicy(text);
  if (policy.kind === 'Wrong') expect.fail(JSON.stringify(policy.problems));
  return policy.policy;
}

function describeVerdict(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'Candidate': {
      const sidecars = verdict.sidecars.map(
        ({ container, because }) => `\`${container.name}\` (${describeEvidence(because)})`,
      );
      return `ends ${sidecars.join(', ')}`;
    }
    case 'Excluded': {
      const reasons = verdict.because.map(
        (reason) =>
          `${describeExclusion(reason)} ([${reason.kind}](../reasons.md#${reason.kind.toLowerCase()}))`,
      );
      return `leaves it alone: ${reasons.join('; ')}`;
    }
    default:
      return verdict.kind;
  }
}
