import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Trial } from '../../../../src/apply/guard/trial.ts';
import { warningsDuring } from '../../../builders/warnings.ts';

const { signal: noStop } = new AbortController();

/** Which of these callers have their turn by now. */
async function whoseTurn(turns: readonly Promise<void>[]): Promise<readonly boolean[]> {
  const later = new Promise<boolean>((resolve) => setImmediate(resolve, false));
  return Promise.all(turns.map((turn) => Promise.race([turn.then(() => true), later])));
}

describe('one caller tries at a time:', () => {
  it('the first at once, each of the others when the one before it has passed, in the order they came', async () => {
    const trial = new Trial();
    const turns = [trial.turn(noStop), trial.turn(noStop), trial.turn(noStop)];
    expect(await whoseTurn(turns)).toEqual([true, false, false]);
    trial.pass();
    expect(await whoseTurn(turns)).toEqual([true, true, false]);
    trial.pass();
    expect(await whoseTurn(turns)).toEqual([true, true, true]);
  });

  it('whoever comes while the turn is handed on waits as well', async () => {
    const trial = new Trial();
    const turns = [trial.turn(noStop), trial.turn(noStop)];
    trial.pass();
    turns.push(trial.turn(noStop));
    expect(await whoseTurn(turns)).toEqual([true, true, false]);
  });

  it('whoever comes after all have passed has the turn at once, and then others wait', async () => {
    const trial = new Trial();
    await trial.turn(noStop);
    trial.pass();
    expect(await whoseTurn([trial.turn(noStop), trial.turn(noStop)])).toEqual([true, false]);
  });

  it('nobody waits once the sweep stops', async () => {
    const trial = new Trial();
    const stopping = new AbortController();
    const turns = [1, 2, 3].map(() => trial.turn(stopping.signal));
    expect(await whoseTurn(turns)).toEqual([true, false, false]);
    stopping.abort();
    expect(await whoseTurn([...turns, trial.turn(stopping.signal)])).toEqual([true, true, true, true]);
  });
});

describe('what is known', () => {
  it('is nothing at first', () => {
    expect(new Trial().known('TERM')).toBeUndefined();
  });

  it('of a way that is open, is that everybody may take it, and nothing of another', () => {
    const trial = new Trial();
    trial.open('TERM');
    expect(trial.known('TERM')).toBe('Go');
    expect(trial.known('KILL')).toBeUndefined();
    trial.open('KILL');
    expect([trial.known('TERM'), trial.known('KILL')]).toEqual(['Go', 'Go']);
  });

  it('once it is closed, is the reason for all ways, those that were open as well', () => {
    const trial = new Trial();
    trial.open('TERM');
    trial.close('CanaryNotEnded');
    expect([trial.known('TERM'), trial.known('KILL')]).toEqual(['CanaryNotEnded', 'CanaryNotEnded']);
    trial.close('CanaryEndedUnclean');
    expect(trial.known('TERM')).toBe('CanaryEndedUnclean');
  });

  it('is which pods were told to end', () => {
    const trial = new Trial();
    trial.tried('uid-1');
    expect(['uid-1', 'uid-2'].map((uid) => trial.isTriedBy(uid))).toEqual([true, false]);
  });
});

it('1,000 pods that wait for their turn are no leak, and leave nothing on the signal when they had it', async () => {
  const { signal: stop } = new AbortController();
  const trial = new Trial();
  const warnings = await warningsDuring(async () => {
    const turns = Array.from({ length: 1_000 }, () => trial.turn(stop));
    for (const turn of turns) {
      await turn;
      trial.pass();
    }
  });
  expect(warnings).toEqual([]);
  expect(getEventListeners(stop, 'abort')).toEqual([]);
});
