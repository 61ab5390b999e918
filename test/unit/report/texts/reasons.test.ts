import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { blockedReason, stillRunningBecause } from '../../../../src/model/outcome.ts';
import { unfit } from '../../../../src/model/step.ts';
import { exclusion, hang } from '../../../../src/model/verdict.ts';
import { reasonPages } from '../../../../src/report/texts/reasons.ts';

it('every reason has a part of docs/reasons.md, and every part is one of a reason', () => {
  const kinds = [exclusion, hang, stillRunningBecause].flatMap(({ options }) =>
    options.map(({ shape }) => shape.kind.value),
  );
  const others = ['NeverStarted', 'NotStartedAgain', 'Undecided', 'NotStarted', 'Unproven', 'Braked', 'Harm'];
  const reasons = [...kinds, ...blockedReason.options, ...unfit.shape.reason.options, ...others];
  const page = readFileSync(new URL('../../../../docs/reasons.md', import.meta.url), 'utf8');
  const parts = [...page.matchAll(/^### (.*)/gm)].map(([, name]) => name);
  expect([...parts].sort()).toEqual([...new Set(reasons)].sort());
  expect([...reasonPages.keys()]).toEqual(parts);
});

it('a part is read without its Markdown', () => {
  expect(reasonPages.get('OptedOut')).toEqual({
    title: 'the owner wants the pod left alone',
    text: expect.stringMatching(/^The pod has the annotation sidecar-sweeper\.dev\/skip\. .* swept\.$/),
    cure: expect.stringContaining('kubectl annotate pod <pod> sidecar-sweeper.dev/skip-.'),
  });
  expect(reasonPages.get('Off')).toMatchObject({ title: 'annotationCommands is off', cure: undefined });
});
