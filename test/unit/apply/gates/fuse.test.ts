import { describe, expect, it } from 'vitest';
import { byLoss, FuseGate } from '../../../../src/apply/gates/fuse.ts';
import type { Answer, SendRequest, StepEnd } from '../../../../src/apply/gates/gate.ts';
import { answered, type Happened, left, open, over, play, requestTo, waitFor, width } from './requests.ts';

/** A request that relies on one promise. */
function to(name: string, more: Partial<SendRequest> = {}): SendRequest {
  return requestTo(name, { promises: ['p'], ...more });
}

function fuse() {
  const broken: string[] = [];
  const gate = new FuseGate((promise) => broken.push(promise));
  return { gate, broken };
}

const many = Array.from({ length: 40 }, (_, index) => to(`new-${index}`));

/** Pods that were sent to, one after the other, and ended like this. */
function ended(...ends: readonly StepEnd[]): readonly Happened[] {
  return ends.flatMap((end, index): readonly Happened[] => {
    const request = to(`old-${index}`);
    return [[request], [request, over(end)]];
  });
}

const clean = (count: number) => ended(...Array<StepEnd>(count).fill('Clean'));

describe('behind a fuse as many pods are in flight as', () => {
  it.each<readonly [string, readonly Happened[], number]>([
    ['one, before any end was seen', [], 1],
    ['four, after one clean end', clean(1), 4],
    ['four, after four', clean(4), 4],
    ['sixteen, after five', clean(5), 16],
    ['one, after one end that was not seen', ended('Unseen'), 1],
    ['sixteen, after two of them: they keep the others waiting', ended('Unseen', 'Unseen'), 16],
    [
      'one, after any number of swaps that were not carried out in time',
      ended('Pending', 'Pending', 'Pending'),
      1,
    ],
    ['one, after any number that was not sent', ended('NotSent', 'NotSent', 'NotSent'), 1],
    ['none, while the first is on its way', [[to('old')]], 0],
    ['none, while the first has its answer but has not ended', [[to('old')], [to('old'), answered(true)]], 0],
    ['three, while one of four is on its way', [...clean(1), [to('old')]], 3],
  ])('%s', (_title, history, expected) => {
    const { gate } = fuse();
    play(gate, history);
    expect(width(gate, many)).toBe(expected);
  });

  it('any number that relies on no promise', () => {
    const { gate, broken } = fuse();
    play(gate, ended('Unclean'));
    expect(gate.ask(requestTo('free'))).toEqual(open);
    expect(broken).toEqual(['p']);
  });
});

describe('what is asked next', () => {
  const broken: Answer = { kind: 'Never', reason: 'PromiseBroken' };
  const noStart: Answer = { kind: 'Never', reason: 'NoopDoesNotStart' };
  const other = to('next', { promises: ['other'] });
  const both = to('next', { promises: ['other', 'p'] });

  // biome-ignore format: one row a line
  it.each<readonly [string, readonly Happened[], SendRequest, Answer]>([
    ['waits for a place', [[to('old')]], to('next'), waitFor('fuse p')],
    ['is blocked after an unclean end', ended('Unclean'), to('next'), broken],
    ['is blocked after one that was killed', ended('Killed'), to('next'), broken],
    ['is blocked if the no-op image does not start', ended('NotStarted'), to('next'), noStart],
    ['is blocked however many ended clean before', [...clean(9), ...ended('Unclean')], to('next'), broken],
    ['stays blocked whatever ends clean later', ended('Unclean', 'Clean'), to('next'), broken],
    ['is told of a broken promise before an image that does not start', ended('NotStarted', 'Unclean'), to('next'), broken],
    ['is told of an image that does not start, if that was first', ended('NotStarted', 'Killed'), to('next'), noStart],
    ['is told of one that was killed, if that was first', ended('Killed', 'NotStarted'), to('next'), broken],
    ['goes on behind a fuse of its own', ended('Unclean'), other, open],
    ['is blocked if one of its promises is broken', ended('Unclean'), both, broken],
    ['waits if one of its promises has no place', [[to('old')]], both, waitFor('fuse p')],
    ['goes on if it has the place', [[to('old')]], to('old'), open],
  ])('%s', (_title, history, request, expected) => {
    const { gate } = fuse();
    play(gate, history);
    expect(gate.ask(request)).toEqual(expected);
  });
});

it.each<readonly [StepEnd, readonly string[]]>([
  ['Unclean', ['p']],
  ['Killed', []],
  ['NotStarted', ['p']],
  ['Clean', []],
  ['Unseen', []],
  ['NotSent', []],
])('a promise that a sidecar broke is told of once: %s', (end, expected) => {
  const { gate, broken } = fuse();
  play(gate, ended(end));
  expect(broken).toEqual(expected);
  play(gate, ended(end));
  expect(broken).toEqual(expected);
});

it('one that was killed, or does not start, does not hide that another breaks its promise', () => {
  const { gate, broken } = fuse();
  play(gate, ended('Killed', 'Unclean'));
  expect(broken).toEqual(['p']);
});

it('pods begin in the order of what they have to lose, and otherwise stay in theirs', () => {
  const lost = { kind: 'Job', because: 'NoRetriesLeft' } as const;
  const others = (['AnotherRun', 'Index', 'Restart', 'Nothing'] as const).map((kind) => ({ kind }));
  const sorted = [lost, ...others].map((uncleanCost) => ({ uncleanCost })).sort(byLoss);
  expect(sorted.map(({ uncleanCost }) => uncleanCost.kind)).toEqual([
    'Restart',
    'Nothing',
    'AnotherRun',
    'Job',
    'Index',
  ]);
});

// biome-ignore format: one row a line
it.each<readonly [string, Happened, readonly string[]]>([
  ['nothing, as long as it may still work', [to('a'), answered(true)], []],
  ['nothing, when its pod is concluded', [to('a'), left()], []],
  ['its place', [to('a'), over('Clean')], ['fuse p']],
  ['the places of all of its promises', [to('a', { promises: ['p', 'q'] }), over('Clean')], ['fuse p', 'fuse q']],
])('a request that settles opens %s', (_title, happened, keys) => {
  const { gate } = fuse();
  expect(play(gate, [[to('a')], happened])).toEqual(keys);
});

it('a pod that is concluded frees no place that a request holds', () => {
  const { gate } = fuse();
  play(gate, [[to('a')], [to('a'), left()]]);
  expect(gate.ask(to('b'))).toEqual(waitFor('fuse p'));
});
