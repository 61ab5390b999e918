import { expect, it } from 'vitest';
import { historyOf } from '../../../../src/history/history.ts';
import { historyMarkdown } from '../../../../src/report/history/markdown.ts';
import { now } from '../../../builders/pod-view.ts';
import { stuckPod, sweepAt } from '../../../builders/sweeps.ts';

it('a history is a page of tables', () => {
  const pods = Array.from({ length: 12 }, (_, index) => stuckPod({ name: `pod-${index}`, advice: 'look' }));
  const dry = sweepAt({ at: now, id: 'dry', dryRun: true });
  const page = historyMarkdown(historyOf([sweepAt({ at: now, pods }), dry]));
  expect(page.split('\n').slice(0, 16)).toEqual([
    '# What sweeps found',
    '',
    '2026-11-21 04:00 to 2026-11-21 04:01 UTC (1m): 1 sweep.',
    '12 pods were stuck: sweeps ended 0, 0 ended or went away otherwise, 12 are still stuck.',
    'What is still stuck reserves 12 CPU and 48Gi of memory.',
    '',
    '- 1 dry run is not counted: nothing was ended.',
    '',
    '## Resources',
    '',
    '|                              | CORE-HOURS | GIB-HOURS |',
    '| ---------------------------- | ---------- | --------- |',
    '| wasted                       | 12         | 48        |',
    '| by pods that are still stuck | 12         | 48        |',
    '| reclaimed                    | 0          | 0         |',
    '',
  ]);
  expect(page).toContain('\nand 2 more\n');
  expect(page).toContain('- to do (12 pods): look');
});

it('names are other people\u2019s input: they are escaped, and no markup', () => {
  const evil = stuckPod({ name: '<img src=x>|a', image: '[x](http://evil)' });
  const page = historyMarkdown(historyOf([sweepAt({ at: now, pods: [evil] })]));
  expect(page).not.toMatch(/(?<!\\)<img/);
  expect(page).not.toMatch(/(?<!\\)\[x/);
  expect(page).toContain('\\<img src=x\\>\\|a');
});
