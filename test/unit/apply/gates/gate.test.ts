import { describe, expect, it } from 'vitest';
import { type Answer, askAll, type Gate } from '../../../../src/apply/gates/gate.ts';
import { now } from '../../../builders/pod-view.ts';
import { open, requestTo, waitFor } from './requests.ts';

const stale: Answer = { kind: 'Stale' };

/** A gate that always answers this, and what it was asked for. */
function gateThat(answer: Answer, heard: string[]): Gate {
  return {
    ask: () => {
      heard.push(`asked ${answer.kind}`);
      return answer;
    },
    reserve: () => void heard.push('reserved'),
    settle: () => [],
  };
}

describe('all gates are asked, and either every one reserves or none does:', () => {
  // biome-ignore format: one row a line
  it.each<readonly [string, readonly Answer[], Answer, readonly string[]]>([
    ['none', [], open, []],
    ['all are open', [open, open], open, ['asked Open', 'asked Open', 'reserved', 'reserved']],
    ['the last one waits', [open, waitFor('a')], waitFor('a'), ['asked Open', 'asked Wait']],
    ['the first one is stale', [stale, open], stale, ['asked Stale']],
    ['the last one is stale, and the others keep the place', [open, stale], stale, ['asked Open', 'asked Stale', 'reserved']],
  ])('%s', (_title, answers, expected, asked) => {
    const heard: string[] = [];
    const gates = answers.map((answer) => gateThat(answer, heard));
    expect(askAll(gates, requestTo('a'), undefined, now)).toEqual(expected);
    expect(heard).toEqual(asked);
  });
});
