import { expect, it } from 'vitest';
import {
  describeTruncated,
  describeUnreadable,
  type UnreadableReports,
} from '../../../../src/report/records/rebuild.ts';

const apiVersion = 'sidecar-sweeper.dev/v2';
const damaged = (file: string, reports = 1): UnreadableReports => ({ file, reports });
const newer = (file: string, reports = 1): UnreadableReports => ({ file, apiVersion, reports });

it.each<readonly [said: string, all: readonly UnreadableReports[]]>([
  [`cannot read 1 report in v2.json: of apiVersion ${apiVersion}`, [newer('v2.json')]],
  [`cannot read 4 reports in a, b: of apiVersion ${apiVersion}`, [newer('a', 3), newer('b')]],
  ['cannot read 2 reports in a.log: damaged, or written by a later version', [damaged('a.log', 2)]],
  [
    'cannot read 5 reports in a, b, c and 2 more: damaged, or written by a later version',
    ['a', 'b', 'c', 'd', 'e'].map((file) => damaged(file)),
  ],
])('%s', (said, all) => {
  expect(describeUnreadable(all)).toEqual([said]);
});

it('says each reason once, and nothing if there is none', () => {
  expect(describeUnreadable([damaged('a'), newer('b'), damaged('c')])).toHaveLength(2);
  expect(describeUnreadable([])).toEqual([]);
});

it('says how many lines were cut off', () => {
  expect([1, 2].map((truncated) => describeTruncated({ truncated }))).toEqual([
    '1 line was cut off',
    '2 lines were cut off',
  ]);
});
