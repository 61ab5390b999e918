import { describe, expect, it } from 'vitest';
import type { ContainerView } from '../../../src/model/pod.ts';
import { likenessOf } from '../../../src/plan/alike.ts';
import { container, running } from '../../builders/pod-view.ts';

type Started = Partial<Pick<ContainerView, 'image' | 'command' | 'args' | 'env'>>;

function started(more: Started): ContainerView {
  return container('sidecar', running, more);
}

/** How many kinds of start there are among these containers. */
function kinds(...all: readonly Started[]): number {
  const views = all.map(started);
  return new Set(views.map(likenessOf(views))).size;
}

/** That many containers, each started with words of its own. */
function many(count: number, start: (number: number) => Started): readonly Started[] {
  return Array.from({ length: count }, (_, number) => start(number));
}

const word = (number: number) => `run-${String.fromCharCode(97 + number)}`;
const uuids = ['0b5f7c9e-1d2a-4c3b-9e8f-7a6b5c4d3e2f', 'FFFFFFFF-0000-4000-8000-0123456789AB'];

describe('two containers are started alike', () => {
  it.each<readonly [title: string, Started, Started]>([
    ['if nothing differs', {}, {}],
    ['whatever their environment is', { env: { A: '1' } }, { env: { A: '2' } }],
    ['if only a UUID differs', { args: [`--run=${uuids[0]}`] }, { args: [`--run=${uuids[1]}`] }],
    [
      'if only a UUID in a word differs',
      { args: [`run-${uuids[0]}.log`] },
      { args: [`run-${uuids[1]}.log`] },
    ],
    ['if only a long number differs', { args: ['--at', '1700000001'] }, { args: ['--at', '1700000002000'] }],
    ['if only a number of six digits differs', { args: ['run123456'] }, { args: ['run654321'] }],
    [
      'if only a UUID in a script differs',
      { command: ['sh', '-c', `agent --id ${uuids[0]} && sleep 5`] },
      { command: ['sh', '-c', `agent --id ${uuids[1]} && sleep 5`] },
    ],
  ])('%s', (_title, one, other) => {
    expect(kinds(one, other)).toBe(1);
  });

  it.each<readonly [title: string, Started, Started]>([
    ['if the image differs', { image: 'a:1' }, { image: 'a:2' }],
    ['if one has a command', {}, { command: ['agent'] }],
    ['if one has arguments', {}, { args: ['agent'] }],
    [
      'if the same words are the command of one and the arguments of the other',
      { command: ['a'] },
      { args: ['a'] },
    ],
    ['if the command differs', { command: ['a'] }, { command: ['b'] }],
    ['if a flag differs', { args: ['--drain'] }, { args: ['--no-drain'] }],
    ['if the value of a flag differs', { args: ['--port=80'] }, { args: ['--port=81'] }],
    ['if a short number differs', { args: ['--timeout', '99999'] }, { args: ['--timeout', '99998'] }],
    ['if one has a word more', { args: ['a'] }, { args: ['a', 'b'] }],
    ['if the words are joined otherwise', { args: ['a', 'b'] }, { args: ['a b'] }],
    ['if the order differs', { args: ['a', 'b'] }, { args: ['b', 'a'] }],
    ['if one has no words at all', { args: [] }, {}],
    ['if the word is the name of nothing', { command: ['null'] }, {}],
    ['if what stands between words differs', { args: ['a=b'] }, { args: ['a:b'] }],
  ])('but not %s', (_title, one, other) => {
    expect(kinds(one, other)).toBe(2);
  });
});

describe('in a place where most of many containers have a word of their own', () => {
  it('the word is an identifier', () => {
    expect(kinds(...many(16, (number) => ({ args: ['--run', word(number)] })))).toBe(1);
    expect(kinds(...many(200, (number) => ({ command: ['sh', '-c', `agent --shard=${number}`] })))).toBe(1);
  });

  it('it is a setting if there are fewer than 16 of them', () => {
    expect(kinds(...many(15, (number) => ({ args: ['--run', word(number)] })))).toBe(15);
  });

  it('it is a setting if no more than half of them differ', () => {
    expect(kinds(...many(16, (number) => ({ args: [word(number % 8)] })))).toBe(8);
    expect(kinds(...many(16, (number) => ({ args: [word(number % 9)] })))).toBe(1);
  });

  it('a setting beside it still tells them apart', () => {
    const drain = (number: number) => (number % 2 === 0 ? '--drain' : '--no-drain');
    expect(kinds(...many(20, (number) => ({ args: ['--run', word(number), drain(number)] })))).toBe(2);
  });

  it('images and forms are counted apart', () => {
    const twelve = many(12, (number) => ({ args: ['--run', word(number)] }));
    expect(kinds(...twelve, ...many(12, (number) => ({ image: 'b:1', args: ['--run', word(number)] })))).toBe(
      24,
    );
    expect(kinds(...twelve, ...many(12, (number) => ({ args: [`--run=${word(number)}`] })))).toBe(24);
  });
});

it('a container that is not among those that were counted is known by its own words', () => {
  const likeness = likenessOf(many(16, (number) => ({ args: [word(number)] })).map(started));
  expect(likeness(started({ args: ['another'] }))).toBe(likeness(started({ args: [word(0)] })));
  expect(likeness(started({ command: ['another'] }))).toBe(likenessOf([])(started({ command: ['another'] })));
  expect(likeness(started({ command: ['another'] }))).not.toBe(likeness(started({ command: ['one'] })));
});
