import { describe, expect, it } from 'vitest';
import { FuseGate } from '../../../../src/apply/gates/fuse.ts';
import type { Answer, SendRequest, StepEnd } from '../../../../src/apply/gates/gate.ts';
import { answered, type Happened, left, open, over, play, requestTo, waitFor, width } from './requests.ts';

/** A request that relies on one promise. */
function to(name: string, more: Partial<SendRequest> = {}): SendRequest {
  return requestTo(name, { promises: ['p'], ...more });
}

function fuse(expected: readonly SendRequest[] = []) {
  const broken: string[] = [];
  const gate = new FuseGate((promise) => broken.push(promise));
  for (const one of expected) gate.expect(one);
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

describe('work that would be lost for good', () => {
  const cheap = to('cheap');
  const lasts = (['Job', 'Index'] as const).map((cost) => to(cost, { cost }));
  const toLast = lasts.map((last) => [last.cost, last] as const);
  const last = waitFor('fuse 2 p');

  it.each(toLast)('waits while cheaper work is still to go: %s', (_cost, request) => {
    const { gate } = fuse([cheap]);
    expect(gate.ask(request)).toEqual(last);
    expect(gate.ask(cheap)).toEqual(open);
  });

  it('and work that would run again, while a sidecar that would be restarted is still to go', () => {
    const restarted = to('restarted', { cost: 'Restart' });
    const { gate } = fuse([restarted, cheap]);
    expect([gate.ask(cheap), gate.ask(restarted)]).toEqual([waitFor('fuse 1 p'), open]);
    play(gate, [[restarted], [restarted, over('Clean')]]);
    expect(gate.ask(cheap)).toEqual(open);
  });

  const more = [cheap, to('cheap too')];
  const ofOther = [to('cheap', { promises: ['other'] })];

  // biome-ignore format: one row a line
  it.each<readonly [string, cheaper: readonly SendRequest[], readonly Happened[], Answer]>([
    ['while the cheaper work is on its way', [cheap], [[cheap]], last],
    ['while that has its answer but no end', [cheap], [[cheap], [cheap, answered(true)]], last],
    ['while that is to be sent again', [cheap], [[cheap], [cheap, over('NotSent')]], last],
    ['no longer than for a clean end', [cheap], [[cheap], [cheap, over('Clean')]], open],
    ['no longer than for a clean end, although cheaper work is left', more, [[cheap], [cheap, over('Clean')]], open],
    ['no longer than for an end that was not seen', [cheap], [[cheap], [cheap, over('Unseen')]], open],
    ['no longer than until the pod is concluded', [cheap], [[cheap, left()]], open],
    ['not for other work that would be lost', lasts, [], open],
    ['not for cheaper work of another promise', ofOther, [], open],
  ])('waits %s', (_title, cheaper, history, expected) => {
    const { gate } = fuse(cheaper);
    play(gate, history);
    expect(gate.ask(to('last', { cost: 'Job' }))).toEqual(expected);
  });

  it('does not wait for a pod of its own Job once it was sent to: that pod may wait until this one is concluded', () => {
    const own = (name: string, more: Partial<SendRequest> = {}) => to(name, { job: 'j', ...more });
    const first = own('last', { id: 'last/0', cost: 'Index', promises: ['q'] });
    const second = own('last', { id: 'last/1', cost: 'Index' });
    const { gate } = fuse([own('cheap')]);
    expect(gate.ask(second)).toEqual(last);
    play(gate, [[first], [first, over('Clean')]]);
    expect(gate.ask(second)).toEqual(open);
    expect(gate.ask(own('other', { cost: 'Index' }))).toEqual(last);
    gate.expect(to('elsewhere', { job: 'k' }));
    expect(gate.ask(second)).toEqual(last);
    // That pod may wait for this one, and this one for the second step of a pod that waits for the first.
    play(gate, [[to('begun', { job: 'k', cost: 'Index', promises: ['q'] })]]);
    expect(gate.ask(second)).toEqual(open);
  });

  // Once a pod was sent to, of which the Job and the cheaper work are these.
  it.each<readonly [string, Partial<SendRequest>, Partial<SendRequest>, readonly Happened[]]>([
    ['it has no Job', {}, { job: 'k' }, [[to('begun', { job: 'k', promises: ['q'] })]]],
    ['that has no Job', { job: 'j' }, {}, [[to('begun', { promises: ['q'] })]]],
    [
      'that is of a Job of which no pod is swept any more',
      { job: 'j' },
      { job: 'k' },
      [[to('begun', { job: 'k', promises: ['q'] })], [to('begun', { job: 'k', promises: ['q'] }), left()]],
    ],
  ])('still waits for cheaper work if %s', (_title, own, other, history) => {
    const { gate } = fuse([to('cheap', other)]);
    const first = to('last', { ...own, id: 'last/0', cost: 'Job', promises: ['q'] });
    play(gate, [[first], [first, over('Clean')], ...history]);
    expect(gate.ask(to('last', { ...own, id: 'last/1', cost: 'Job' }))).toEqual(last);
  });
});

// biome-ignore format: one row a line
it.each<readonly [string, Happened, readonly string[]]>([
  ['nothing, as long as it may still work', [to('a'), answered(true)], []],
  ['its place, and what waits for cheaper work after that', [to('a'), over('Clean')], ['fuse p', 'fuse 1 p', 'fuse 2 p']],
  ['what waits for it, when the pod is concluded', [to('a'), left()], ['fuse p', 'fuse 1 p', 'fuse 2 p']],
  ['the places of all of its promises, cheaper work first', [to('a', { promises: ['p', 'q'] }), over('Clean')], ['fuse p', 'fuse q', 'fuse 1 p', 'fuse 1 q', 'fuse 2 p', 'fuse 2 q']],
])('a request that settles opens %s', (_title, happened, keys) => {
  const { gate } = fuse();
  expect(play(gate, [[to('a')], happened])).toEqual(keys);
});

it('a pod that is concluded frees no place that a request holds', () => {
  const { gate } = fuse();
  play(gate, [[to('a')], [to('a'), left()]]);
  expect(gate.ask(to('b'))).toEqual(waitFor('fuse p'));
});
