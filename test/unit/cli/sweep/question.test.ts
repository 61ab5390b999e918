import { expect, it } from 'vitest';
import { type Ask, Question } from '../../../../src/cli/sweep/question.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { finished, reportOf, started } from '../../../builders/report.ts';

const plannedFor = (context: string): SweepReport => reportOf(started({ context }), finished);
const going = () => new AbortController().signal;

/** An answer that is given by hand, and what it was asked with. */
function byHand() {
  const asked: (readonly string[])[] = [];
  let answer: (yes: boolean) => void = () => undefined;
  const ask: Ask = (planned, abort) => {
    asked.push(planned.map(({ cluster }) => cluster.context));
    return new Promise((resolve) => {
      answer = resolve;
      abort.addEventListener('abort', () => resolve(false));
    });
  };
  return { asked, ask, give: (yes: boolean) => answer(yes) };
}

it('is asked at once about a single cluster', async () => {
  const { asked, ask, give } = byHand();
  const answer = new Question(ask).about(plannedFor('kind'), going());
  expect(asked).toEqual([['kind']]);
  give(true);
  expect(await answer).toBe(true);
});

it('waits until every cluster has planned or dropped out, and is asked once', async () => {
  const { asked, ask, give } = byHand();
  const question = new Question(ask);
  question.expect(['west', 'east', 'gone', 'idle']);
  const west = question.about(plannedFor('west'), going());
  question.without('gone');
  const east = question.about(plannedFor('east'), going());
  expect(asked).toEqual([]);
  question.without('idle');
  expect(asked).toEqual([['west', 'east']]);
  give(true);
  expect(await Promise.all([west, east])).toEqual([true, true]);
  question.without('west');
  expect(asked).toHaveLength(1);
});

it('is not asked if there is nothing to ask about', () => {
  const { asked, ask } = byHand();
  const question = new Question(ask);
  question.expect(['west']);
  question.without('west');
  expect(asked).toEqual([]);
});

it('is given up when every sweep has been stopped, and no sooner', async () => {
  const { asked, ask } = byHand();
  const question = new Question(ask);
  question.expect(['west', 'east']);
  const [one, other] = [new AbortController(), new AbortController()];
  const west = question.about(plannedFor('west'), one.signal);
  one.abort();
  const east = question.about(plannedFor('east'), other.signal);
  expect(asked).toHaveLength(1);
  other.abort();
  expect(await Promise.all([west, east])).toEqual([false, false]);
});
