import { describe, expect, it } from 'vitest';
import type { Answer, SendRequest } from '../../../../src/apply/gates/gate.ts';
import { NodeLimitGate } from '../../../../src/apply/gates/node-limit.ts';
import { answered, type Happened, left, open, over, play, requestTo, waitFor, width } from './requests.ts';

const to = (name: string, node = 'n') => requestTo(name, { node });
const many = Array.from({ length: 9 }, (_, index) => to(`new-${index}`));

/** Pods that were sent to, one after the other, and whose answers came like this. */
function heard(...reached: readonly (boolean | undefined)[]): readonly Happened[] {
  return reached.flatMap((one, index): readonly Happened[] => {
    const request = to(`old-${index}`);
    return [[request], [request, answered(one)]];
  });
}

function playing(history: readonly Happened[]): NodeLimitGate {
  const gate = new NodeLimitGate();
  play(gate, history);
  return gate;
}

describe('through one node at once go', () => {
  it.each<readonly [string, readonly Happened[], number]>([
    ['one request, before it has answered', [], 1],
    ['none, while that is on its way', [[to('old')]], 0],
    ['four, once it has answered', heard(true), 4],
    ['one, if it was not reached', heard(false), 1],
    ['one, if the answer does not say', heard(undefined), 1],
    ['one, after a step that ended without an answer', [[to('old')], [to('old'), over('Unseen')]], 1],
    ['four, although it was not reached later', heard(true, false, false), 4],
    ['three, while one is on its way', [...heard(true), [to('old')]], 3],
    ['none of a node that did not answer for three pods', heard(true, false, false, false), 0],
  ])('%s', (_title, history, expected) => {
    expect(width(playing(history), many)).toBe(expected);
  });
});

describe('what is asked next', () => {
  const lost: Answer = { kind: 'NodeLost' };
  const again: readonly Happened[] = [
    [to('old'), answered(false)],
    [to('old'), answered(false)],
    [to('old'), answered(false)],
  ];

  // biome-ignore format: one row a line
  it.each<readonly [string, readonly Happened[], SendRequest, Answer]>([
    ['waits for the node', [[to('old')]], to('next'), waitFor('node n')],
    ['goes on through another node', [[to('old')]], to('next', 'other'), open],
    ['goes on if it goes through no node', heard(false, false, false), requestTo('next'), open],
    ['is not sent through a node that did not answer for three pods', heard(false, false, false), to('next'), lost],
    ['is sent after two', heard(false, false), to('next'), open],
    ['is sent after one pod that was tried three times', again, to('next'), open],
    ['is sent if the node answered in between', heard(false, false, true, false), to('next'), open],
    ['is sent again once a lost node answers after all', heard(false, false, false, true), to('next'), open],
    ['does not forget a lost node for an answer that does not say', heard(false, false, false, undefined), to('next'), lost],
  ])('%s', (_title, history, request, expected) => {
    expect(playing(history).ask(request)).toEqual(expected);
  });
});

it.each<readonly [string, Happened, readonly string[], number]>([
  ['its answer frees the place', [to('a'), answered(true)], ['node n'], 4],
  ['so does the end of its step', [to('a'), over('Clean')], ['node n'], 1],
  ['its pod that is concluded does not', [to('a'), left()], [], 0],
  ['a request without a node does not', [requestTo('a'), answered(true)], [], 0],
])('%s', (_title, happened, keys, free) => {
  const gate = new NodeLimitGate();
  expect(play(gate, [[to('a')], happened])).toEqual(keys);
  expect(width(gate, many)).toBe(free);
});
