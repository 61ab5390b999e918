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
  [`v2.json has a report of apiVersion ${apiVersion}, which this version cannot read`, [newer('v2.json')]],
  [
    `a and b have 4 reports of apiVersion ${apiVersion}, which this version cannot read`,
    [newer('a', 3), newer('b')],
  ],
  ['half.json has a report that is damaged or was written by a later version', [damaged('half.json')]],
  ['a.log has 2 reports that are damaged or were written by a later version', [damaged('a.log', 2)]],
  [
    'a, b, c and d have 4 reports that are damaged or were written by a later version',
    ['a', 'b', 'c', 'd'].map((file) => damaged(file)),
  ],
  [
    'a, b, c and 2 other files have 5 reports that are damaged or were written by a later version',
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
