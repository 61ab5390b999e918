import fc from 'fast-check';
import { it } from 'vitest';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { JobReading } from '../../../src/model/reading.ts';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import { presentJob } from '../../builders/job.ts';
import { attemptResults } from '../../builders/plan.ts';
import { exited, waiting } from '../../builders/pod-view.ts';
import {
  ask,
  asked,
  type Change,
  changes,
  changesContainer,
  costs,
  type Driving,
  deletePod,
  drive,
  ends,
  evict,
  finishes,
  kill,
  podOfTwo,
  quit,
  request,
  restarts,
  shows,
  stops,
  swap,
  term,
} from './driven-pod.ts';

const ladders: readonly (readonly PlannedStep[])[] = [
  [quit, term, kill],
  [term, kill],
  [request('quit'), quit],
  [{ ...term, blocked: 'KnownUnclean' }, kill],
  [ask('slow', { grace: 3_600_000, exitCode: 0 }), kill],
  [],
];
const results: readonly AttemptResult[] = Object.values(attemptResults).filter(
  ({ kind }) => kind !== 'Blocked',
);
const jobs: readonly JobReading[] = [
  presentJob(),
  presentJob({ failed: 'BackoffLimitExceeded' }),
  { kind: 'Gone' },
];
const happenings: readonly Change[] = [
  ...['a', 'b'].flatMap((name) => [
    ...[0, 143, 137].map((code) => ends(name, code)),
    restarts(name),
    changesContainer(name, { image: 'noop:1', state: waiting('ErrImagePull') }),
    changesContainer(name, { image: 'noop:1', id: 'containerd://noop', state: exited() }),
  ]),
  ...[finishes(), finishes('Failed'), changes({ deleting: true }), stops()],
  ...[shows({ kind: 'Gone' }), shows({ kind: 'Replaced', uid: 'u' }), shows(undefined)],
  shows({ kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } }),
];
const words = ['quit', 'term', 'kill', 'slow', 'imageswap', 'evict', 'delete'];
const requests = words.flatMap((word) => ['a', 'b', 'a+b'].map((to) => `${word} ${to}`));
const answers = fc.array(fc.constantFrom(...results), { maxLength: 4 });

/** A pod with the sidecars `a` and `b`, and all that happens to it and to what it is sent. */
const driving: fc.Arbitrary<Driving> = fc
  .record({
    restartPolicy: fc.constantFrom('Never', 'OnFailure'),
    a: fc.constantFrom(...ladders),
    b: fc.constantFrom(...ladders),
    uncertain: fc.constantFrom([], [term]),
    turn: fc.constantFrom(0, 1, 2),
    swap: fc.constantFrom(undefined, swap, { ...swap, exitCode: 0 }, { ...swap, only: ['a'] }),
    lastResort: fc.constantFrom([], [evict, deletePod], [swap], [swap, evict]),
    uncleanCost: fc.constantFrom(...costs),
    answers: fc.record(Object.fromEntries(requests.map((one) => [one, answers]))),
    refuses: fc.constantFrom(
      {},
      {},
      { quit: 'PromiseBroken' } as const,
      { imageswap: 'NoRoomInJob' } as const,
    ),
    after: fc.dictionary(fc.nat(90_000).map(String), fc.constantFrom(...happenings), { maxKeys: 8 }),
    jobs: fc.array(fc.constantFrom(...jobs), { maxLength: 4 }),
    others: fc.constantFrom(0, 80_000),
    jitter: fc.constantFrom(0, 1),
  })
  .map(({ restartPolicy, a, b, uncertain, turn, ...more }) => ({
    pod: podOfTwo({ restartPolicy }),
    targets: [asked(a, 'a', { uncertain }), asked(b, 'b', { uncertain, turn })],
    maxGrace: 60_000,
    ...more,
  }));

it('whatever happens, a pod is concluded, and nothing is sent twice or too late', () => {
  // What must hold at each action is asserted there.
  fc.assert(
    fc.property(driving, (one) => void drive(one)),
    { numRuns: 1_000 },
  );
});
