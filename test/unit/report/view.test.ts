import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/judge/judge.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { changedCatalogue } from '../../../src/policy/policy.ts';
import { accessView } from '../../../src/report/access.ts';
import { adviceView, adviseOwner, reportAdvice } from '../../../src/report/advise.ts';
import { type Style, widthOf } from '../../../src/report/columns.ts';
import { reportExplanation } from '../../../src/report/explain/explanation.ts';
import { explanationView } from '../../../src/report/explain/view.ts';
import { historyOf } from '../../../src/report/history/history.ts';
import { JudgedPods } from '../../../src/report/judged-pods.ts';
import { reportProfiles } from '../../../src/report/profiles.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import {
  type Block,
  bullets,
  escaped,
  markdownRows,
  sentence,
  viewMarkdown,
  viewText,
} from '../../../src/report/view.ts';
import { containerOutcomes } from '../../builders/kinds.ts';
import { candidate } from '../../builders/plan.ts';
import { now, podView } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { plain, renderAccess, renderHistory, renderProfiles, renderTable } from '../../builders/rendered.ts';
import { finished, listed, planMade, reportOf, started, withSidecars } from '../../builders/report.ts';
import { cronJob, stuck, versions } from '../../builders/stuck.ts';
import { sweptReports } from '../../builders/sweep-reports.ts';

const cluster = { context: 'kind', server: 'https://127.0.0.1:6443' };
const look = { verb: 'get', group: '', resource: 'pods' } as const;
const forPods = {
  apiVersion: 'sidecar-sweeper.dev/v1',
  kind: 'AccessReport',
  permissions: [{ ...look, for: 'find stuck pods and verify the result', allowed: 'Yes' }],
  rulesToAdd: [],
  warnings: [],
} as const;

describe('text of others', () => {
  it('cannot be markup, and stays in its cell', () => {
    const image = '![x](http://tracker/p.png) <img src=x> a|b `c` *d*\n# e';
    const row =
      markdownRows(['A'], [[image]])
        .split('\n')
        .at(-1) ?? '';
    expect(row).not.toMatch(/(?<!\\)[![<>`*#]\[?(?!x\]|\\|x)/);
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(2);
  });

  it('is one line without terminal control characters, wherever it stands', () => {
    const text = 'a\u001b[2J\r\nb\u009b0m\u202ec';
    const rows = [[text, { look: 'red', text }]] as const;
    const blocks: readonly Block[] = [
      { kind: 'Heading', text },
      sentence(text),
      bullets([text], [text]),
      { kind: 'Table', columns: [{ title: 'A' }, { title: 'B' }], rows, more: 0 },
    ];
    const lines = viewText({ sections: [blocks] }, plain)
      .trimEnd()
      .split('\n');
    const shown = 'a [2J b 0m c';
    expect(lines).toEqual([
      ...[shown, shown, `  ${shown}`, `    ${shown}`],
      ...['A              B', `${shown}   ${shown}`],
    ]);
  });

  it('is written as it is if nothing in it is markup', () => {
    expect(escaped('registry.example:5000/team-a/app:1.2')).toBe('registry.example:5000/team-a/app:1.2');
  });
});

it('a table is aligned by how wide characters are', () => {
  const expected = ['| A    | B |', '| ---- | - |', '| 漢字 | x |'];
  expect(markdownRows(['A', 'B'], [['漢字', 'x']]).split('\n')).toEqual(expected);
});

describe('each command has Markdown:', () => {
  it('explain, with the answer first', () => {
    const explanation = explain(podView(), policy(), now, noFacts);
    const report = reportExplanation(explanation, {
      cluster,
      asOf: now,
      scope: policy().scope,
      warnings: [],
      plan: undefined,
    });
    const text = viewMarkdown(explanationView(report, { verbose: false }));
    expect(text).toMatch(/^\*\*demo\/work-x2k9p has been stuck for 1h/);
    expect(text).toContain('- 22 checks passed');
  });

  it('advise, with the command as code', () => {
    const fold = new JudgedPods(() => undefined);
    for (const event of listed(stuck())) fold.hear(event);
    const known = versions('v1.34.0', 'v1.34.0');
    const advised = adviseOwner({ origin: cronJob(), candidates: [stuck()] }, known, catalogue);
    const text = viewMarkdown(
      adviceView(reportAdvice(fold, cluster, policy(), now, { owners: [advised] }), plain),
    );
    expect(text).toMatch(/^## CronJob demo\/report: 1 pod stuck/);
    expect(text).toMatch(/^```sh\nkubectl patch cronjob report -n demo .*\n```$/m);
  });

  it('check-access, with the rules as code', () => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
    const list = { verb: 'list', group: '', resource: 'pods', for: 'list', allowed: 'No' } as const;
    const text = viewMarkdown(accessView({ ...forPods, permissions: [list], rulesToAdd: [{ rules }] }));
    expect(text).toContain('| (all)     | list | pods     | no      | list       |');
    expect(text).toMatch(/^```yaml\nrules:\n {2}- apiGroups:\n/m);
  });
});

const base = reportOf(started(), ...listed(candidate()), planMade(candidate()), finished);
const longName = 'nightly-customer-reconciliation-29384756-x7k2p';
const outcomes: SweepReport = {
  ...base,
  pods: Object.values(containerOutcomes).flatMap((outcome) =>
    base.pods.map((pod) => ({ ...withSidecars(pod, () => ({ outcome })), name: longName })),
  ),
  warnings: [{ kind: 'JobHarmed', namespace: 'demo', name: longName, job: 'nightly', harm: 'RunsAgain' }],
};
const texts: Readonly<Record<string, (style: Style) => string>> = {
  'what a sweep did': (style) => renderTable(outcomes, style),
  'what a sweep would do': (style) => renderTable({ ...outcomes, run: { ...base.run, dryRun: true } }, style),
  'what sweeps found': (style) => renderHistory(historyOf(sweptReports(3, 20)), style),
  permissions: (style) => renderAccess(forPods, style),
  profiles: (style) => renderProfiles(reportProfiles(changedCatalogue(undefined)), style),
};

describe.each(Object.entries(texts))('%s', (_what, render) => {
  // What follows a colon may stand on a line of its own.
  const wordsOf = (text: string) => text.split(/[\s/]+/).map((word) => word.replace(/:$/, ''));
  const words = new Set([true, false].flatMap((wide) => wordsOf(render({ ...plain, wide }))));
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
    expect(renderTable(outcomes, { ...plain, width, wide: true })).toContain(longName);
  }
});
