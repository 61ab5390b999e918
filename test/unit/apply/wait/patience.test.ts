import { describe, expect, it } from 'vitest';
import type { Taken } from '../../../../src/apply/taken.ts';
import { hasMissed, patiently } from '../../../../src/apply/wait/patience.ts';
import type { AttemptResult } from '../../../../src/model/outcome.ts';
import { attempt, attemptResults } from '../../../builders/plan.ts';
import { Stage } from '../stage.ts';

const { Accepted, Busy, Undelivered } = attemptResults;

function taken(result: AttemptResult): Taken {
  return { kind: 'Attempted', attempt: attempt(result), watched: [], reading: undefined };
}

/** When each try was made, if they come to these results, the last of them for ever. */
async function triesOf(
  results: readonly AttemptResult[],
  { time = 0, random = 0, stage = new Stage() } = {},
): Promise<readonly number[]> {
  const times: number[] = [];
  const send = async () => {
    times.push(stage.elapsed);
    return taken(results[times.length - 1] ?? results.at(-1) ?? Accepted);
  };
  await stage.finish(patiently(send, time, { ...stage.context, random: () => random }));
  return times;
}

it('only what is known not to have arrived has missed', () => {
  const missed = Object.values(attemptResults).filter((result) => hasMissed(taken(result)));
  expect(missed.map(({ kind }) => kind)).toEqual(['Busy', 'Undelivered']);
  expect(hasMissed({ kind: 'Overtaken', reading: { kind: 'Gone' } })).toBe(false);
});

describe('a request that does not arrive is made again', () => {
  it('until it does', async () => {
    expect(await triesOf([Undelivered, Undelivered, Accepted])).toEqual([0, 500, 1_500]);
  });

  it('a few times even if the step has no time', async () => {
    expect(await triesOf([Undelivered])).toEqual([0, 500, 1_500, 3_500, 7_500]);
  });

  it('after pauses that grow to ten seconds, while the time of the step lasts', async () => {
    const times = [0, 1_000, 3_000, 7_000, 15_000, 25_000, 35_000];
    expect(await triesOf([Undelivered], { time: 35_000, random: 1 })).toEqual(times);
    expect(await triesOf([Undelivered], { time: 34_999, random: 1 })).toEqual(times.slice(0, -1));
  });

  it('after a pause of its own, so that not all come back at once', async () => {
    expect(await triesOf([Undelivered, Accepted], { random: 0.5 })).toEqual([0, 750]);
  });

  it('not before the server wants it, if that is within 30 seconds', async () => {
    expect(await triesOf([{ ...Busy, retryAfterMs: 7_000 }, Accepted])).toEqual([0, 7_500]);
    expect(await triesOf([{ ...Busy, retryAfterMs: 3_600_000 }, Accepted])).toEqual([0, 30_500]);
  });

  it('not if the container has ended meanwhile; that it was asked is told all the same', async () => {
    const stage = new Stage();
    const reading = { kind: 'Gone' } as const;
    const results: readonly Taken[] = [taken(Undelivered), { kind: 'Overtaken', reading }];
    let tries = 0;
    const send = async () => results[tries++] ?? taken(Accepted);
    const sent = await stage.finish(patiently(send, 0, stage.context));
    expect(sent).toEqual({ ...taken(Undelivered), reading });
    expect(tries).toBe(2);
  });

  it('not when the sweep stops meanwhile', async () => {
    const stage = new Stage();
    stage.stop('Signal');
    expect(await triesOf([Undelivered], { stage })).toEqual([0]);
  });
});

describe('that nobody upgrades connections', () => {
  const refused = { ...Undelivered, noUpgrade: true } as const;

  it.each<readonly [title: string, results: readonly AttemptResult[], noUpgrade: true | undefined]>([
    ['is known if every try was refused it', [refused], true],
    ['is not known if the first one failed otherwise', [Undelivered, refused], undefined],
    ['is not known if one in between was to come later', [refused, Busy, refused], undefined],
    ['is not known if the last one failed otherwise', [refused, refused, Undelivered], undefined],
  ])('%s', async (_title, results, noUpgrade) => {
    const stage = new Stage();
    let tries = 0;
    const send = async () => taken(results[tries++] ?? results.at(-1) ?? Accepted);
    const sent = await stage.finish(patiently(send, 0, stage.context));
    expect(tries).toBe(5);
    expect(sent).toMatchObject({ attempt: { result: { kind: 'Undelivered' } } });
    expect(sent.kind === 'Attempted' && Reflect.get(sent.attempt.result, 'noUpgrade')).toBe(noUpgrade);
  });
});
