import { describe, expect, it } from 'vitest';
import { blockedReason, notAttemptedReason } from '../../../../src/model/outcome.ts';
import { chapters, explainedAt } from '../../../../src/report/html/glossary.tsx';
import { wordOf } from '../../../../src/report/records/fields.ts';
import {
  containerOutcomes,
  exclusions,
  podOutcomes,
  skipReasons,
  stillRunningBecause,
} from '../../../builders/kinds.ts';

const entries = chapters.flatMap((chapter) => chapter.entries);

it('has one place for every word', () => {
  const ids = entries.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

describe('every reason has an explanation of its own', () => {
  it.each([
    ...Object.keys(exclusions).map((reason) => ({ outcome: 'Excluded', reason })),
    ...Object.keys(skipReasons).map((reason) => ({ outcome: 'Skipped', reason })),
    ...Object.keys(stillRunningBecause).map((reason) => ({ outcome: 'StillRunning', reason })),
    ...blockedReason.options.map((reason) => ({ outcome: 'Blocked', reason })),
    ...notAttemptedReason.options.map((reason) => ({ outcome: 'NotAttempted', reason })),
  ])('$outcome $reason', ({ outcome, reason }) => {
    expect(explainedAt({ outcome, reason })).toBe(`means-${outcome}-${reason}`);
  });
});

it('explains every outcome of a report', () => {
  const words = [...Object.values(containerOutcomes), ...Object.values(podOutcomes)].map(wordOf);
  expect(words.filter((word) => explainedAt(word) === undefined)).toEqual([]);
});

it('falls back to the outcome for the kubelet\u2019s reason, and does not know words of later versions', () => {
  expect(explainedAt({ outcome: 'NotStarted', reason: 'ErrImagePull' })).toBe('means-NotStarted');
  expect(explainedAt({ outcome: 'Vanished' })).toBeUndefined();
});
