import { expect, it } from 'vitest';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { notesOf as notes } from '../../../builders/rendered.ts';
import { finished, listed, reportOf, started } from '../../../builders/report.ts';
import { plain } from '../../../builders/style.ts';

const base = reportOf(started(), ...listed(), finished);
const excluded: SweepReport = {
  ...base,
  totals: { ...base.totals, excluded: 1, excludedBecause: { NoSidecar: 1 } },
};
const pod = { namespace: 'demo', name: 'work', because: [{ kind: 'NoSidecar' }], remarks: [] } as const;

it('count the pods that were left alone, or name them', () => {
  expect(notes(excluded, plain)).toEqual([
    '1 pod left alone: 1 NoSidecar (explain --reason says what each means; --verbose lists them)',
  ]);
  expect(notes({ ...excluded, excluded: [pod] }, plain)).toEqual([
    'left alone: demo/work: it has no known sidecar (NoSidecar)',
    '1 pod left alone: 1 NoSidecar (explain --reason says what each means)',
  ]);
});

it('say that a pod may have several reasons only if the numbers do not add up', () => {
  const both = {
    ...excluded,
    totals: { ...excluded.totals, excludedBecause: { NoSidecar: 1, TooYoung: 1 } },
  };
  expect(notes(both, plain)).toEqual([
    '1 pod left alone: 1 NoSidecar, 1 TooYoung; a pod counts for each of its reasons (explain --reason says what each means; --verbose lists them)',
  ]);
  const two = { ...both, totals: { ...both.totals, excluded: 2 } };
  expect(notes(two, plain)).toEqual([
    '2 pods left alone: 1 NoSidecar, 1 TooYoung (explain --reason says what each means; --verbose lists them)',
  ]);
});

it('are wrapped on a terminal, and yellow if they need a look', () => {
  const lines = notes(
    { ...base, undecided: [{ namespace: 'demo', name: 'odd', problem: 'no containers' }] },
    { ...plain, colour: true, width: 40 },
  );
  expect(lines.join('\n').split('\n')).toEqual([
    '\u001b[33mundecided: demo/odd: no containers; see\u001b[39m',
    '\u001b[33m  explain --reason Undecided\u001b[39m',
  ]);
});
