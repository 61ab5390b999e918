import { expect, it } from 'vitest';
import { Promises } from '../../../src/apply/guard/promises.ts';
import type { Taken } from '../../../src/apply/taken.ts';
import { learnFrom } from '../../../src/apply/teach.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { PodView } from '../../../src/model/pod.ts';
import { attempt, attemptResults } from '../../builders/plan.ts';
import { container, exited, now, podView } from '../../builders/pod-view.ts';

const promised = [
  { container: 'sidecar', name: 'promise of the sidecar' },
  { container: 'other', name: 'promise of the other' },
];

/** What is noted of a step that was sent to the sidecar alone, in a pod of which both have ended with 143. */
function notedOf(result: AttemptResult, more: Partial<PodView> = {}): readonly string[] {
  const ended = ['sidecar', 'other'].map((name) => container(name, exited(143)));
  const pod = podView({ containers: [container('main', exited()), ...ended], ...more });
  const [{ id: containerId = '' } = {}] = ended;
  const taken: Taken = {
    kind: 'Attempted',
    attempt: attempt(result),
    watched: [{ container: 'sidecar', containerId, swappedFor: undefined }],
    reading: { kind: 'Present', pod, asOf: now },
  };
  const noted: string[] = [];
  const promises = new Promises({ knows: async () => false, note: (name) => void noted.push(name) });
  learnFrom(taken, promised, promises);
  promises.settle();
  return noted;
}

it('a promise is broken by the sidecar that the step was sent to, and by no other', () => {
  expect(notedOf({ kind: 'Accepted' })).toEqual(['promise of the sidecar']);
});

it.each<readonly [string, AttemptResult, Partial<PodView>]>([
  ['what cannot have worked', attemptResults.Refused, {}],
  ['a pod that somebody deletes', { kind: 'Accepted' }, { deleting: true }],
  ['a pod that is drained', { kind: 'Accepted' }, { disrupted: true }],
])('nothing is learnt from %s', (_title, result, more) => {
  expect(notedOf(result, more)).toEqual([]);
});
