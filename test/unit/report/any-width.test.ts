import { describe, expect, it } from 'vitest';
import { changedCatalogue } from '../../../src/policy/policy.ts';
import type { Style } from '../../../src/report/columns.ts';
import { widthOf } from '../../../src/report/columns.ts';
import { reportProfiles } from '../../../src/report/profiles.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { containerOutcomes } from '../../builders/kinds.ts';
import { candidate } from '../../builders/plan.ts';
import { renderAccess, renderProfiles, renderTable } from '../../builders/rendered.ts';
import { finished, listed, planMade, reportOf, started } from '../../builders/report.ts';
import { plain } from '../../builders/style.ts';

const base = reportOf(started(), ...listed(candidate()), planMade(candidate()), finished);
const longName = 'nightly-customer-reconciliation-29384756-x7k2p';
const outcomes: SweepReport = {
  ...base,
  pods: Object.values(containerOutcomes).flatMap((outcome) =>
    base.pods.map((pod) => ({
      ...pod,
      name: longName,
      containers: pod.containers.map((one) => (one.role === 'Sidecar' ? { ...one, outcome } : one)),
    })),
  ),
  warnings: [{ kind: 'JobHarmed', namespace: 'demo', name: longName, job: 'nightly', harm: 'RunsAgain' }],
};
const forPods = {
  apiVersion: 'sidecar-sweeper.dev/v1',
  kind: 'AccessReport',
  permissions: [{ verb: 'get', group: '', resource: 'pods', for: 'list, judge and prove', allowed: 'Yes' }],
  rulesToAdd: [],
  warnings: [],
} as const;

const texts: Readonly<Record<string, (style: Style) => string>> = {
  'what a sweep did': (style) => renderTable(outcomes, style),
  'what a sweep would do': (style) => renderTable({ ...outcomes, run: { ...base.run, dryRun: true } }, style),
  permissions: (style) => renderAccess(forPods, style),
  profiles: (style) => renderProfiles(reportProfiles(changedCatalogue(undefined)), style),
};

describe.each(Object.entries(texts))('%s', (_what, render) => {
  // What follows a colon may stand on a line of its own.
  const wordsOf = (text: string) => text.split(/[\s/]+/).map((word) => word.replace(/:$/, ''));
  const words = new Set(wordsOf(render({ ...plain, wide: true })));
  const widths = [1, 2, 3, 5, 8, 13, 20, 27, 34, 40, 55, 64, 72, 80, 90, 100, 110, 120, 150, 200, 300, 400];

  it.each([false, true])('fits any terminal, and breaks no word (-o wide: %s)', (wide) => {
    for (const width of widths) {
      const text = render({ ...plain, width, wide });
      for (const line of text.split('\n')) {
        if (line.trim().includes(' ')) expect(widthOf(line), `${width}: ${line}`).toBeLessThanOrEqual(width);
      }
      // The labels of a block are titles elsewhere.
      const isKnown = (word: string) => words.has(word) || words.has(word.toUpperCase());
      expect(wordsOf(text).filter((word) => !isKnown(word))).toEqual([]);
    }
  });
});

it('the name of a pod is whole at any width', () => {
  for (const width of [1, 20, 40, 60, 80, 100, 400]) {
    expect(renderTable(outcomes, { ...plain, width })).toContain(longName);
  }
});
