import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import type { PolicyFile } from '../../../src/policy/policy-file.ts';
import { describeEvidence, describeExclusion } from '../../../src/report/texts/reasons.ts';
import { narrowed } from '../../builders/api-pod.ts';
import { jobView } from '../../builders/job.ts';
import { now } from '../../builders/pod-view.ts';
import { noFacts, policy, policyIn } from '../../builders/policy.ts';
import { apiPodOf, platformPods } from './platform-pods.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'recipes.md'), 'utf8');
/** The parts of the page that say what a sweep does with pods, by their headings. */
const parts = new Map(
  page
    .split(/^## /m)
    .filter((part) => part.includes('| the pod | a sweep |'))
    .map((part) => [part.slice(0, part.indexOf('\n')), part]),
);

describe.each([...parts])('docs/recipes.md: %s', (title, part) => {
  it('says of each pod what a sweep does with it', () => {
    expect(verdictsIn(part)).toEqual(verdictsOn(title, part));
  });
});

it('every platform has a part', () => {
  expect([...parts.keys()]).toEqual(Object.keys(platformPods));
});

function verdictsIn(part: string): Readonly<Record<string, string>> {
  const [, table = ''] = /^\| the pod \| a sweep \|\n\|.*\n((?:\|.*\n)*)/m.exec(part) ?? [];
  const rows = [...table.matchAll(/^\| (.*?) \| (.*) \|$/gm)];
  return Object.fromEntries(rows.map(([, pod = '', verdict = '']) => [pod, verdict]));
}

function verdictsOn(title: string, part: string): Readonly<Record<string, string>> {
  const judged = Object.entries(platformPods[title] ?? {}).map(([name, pod]) => {
    const rules = pod.withPolicy ? (policyOf(part).rules ?? []) : [];
    const facts = {
      ...noFacts,
      templates: new Map(pod.template && [['owner-uid', jobView({ containers: pod.template })]]),
    };
    return [name, describeVerdict(judge(narrowed(apiPodOf(pod)), policy({ rules }), now, facts))];
  });
  return Object.fromEntries(judged);
}

function policyOf(part: string): PolicyFile {
  const [, text = ''] = /^```yaml\n(apiVersion: sidecar-sweeper[\s\S]*?)^```$/m.exec(part) ?? [];
  return policyIn(text);
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
          `${describeExclusion(reason)} ([${reason.kind}](reasons.md#${reason.kind.toLowerCase()}))`,
      );
      return `leaves it alone: ${reasons.join('; ')}`;
    }
    default:
      return verdict.kind;
  }
}
