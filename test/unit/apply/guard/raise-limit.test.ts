import { describe, expect, it } from 'vitest';
import { type Look, raiseLimit } from '../../../../src/apply/guard/raise-limit.ts';
import type { LimitRaise, WriteResult } from '../../../../src/model/ports.ts';
import type { Warning } from '../../../../src/model/warning.ts';
import { createSlots } from '../../../../src/util/concurrency.ts';

const none: Look = { room: 'None', limit: 0, needed: 2 };
const taken: Look = { room: 'Taken', limit: 2 };
const message = 'no';
const conflict: WriteResult = { kind: 'Conflict', message };
const unconfirmed: WriteResult = { kind: 'Unconfirmed', message };

/** Asks for room: what each look shows and each patch comes to, in order; the last one again and again. */
async function ask(looks: readonly [Look, ...Look[]], results: readonly WriteResult[]) {
  const raises: LimitRaise[] = [];
  const pauses: number[] = [];
  const warnings: Warning[] = [];
  const { signal } = new AbortController();
  let looked = 0;
  const room = await raiseLimit({
    namespace: 'demo',
    owner: { group: 'batch', kind: 'Job', name: 'work', uid: 'uid-2' },
    look: async () => looks[Math.min(looked++, looks.length - 1)] ?? looks[0],
    cluster: {
      raiseBackoffLimit: async (_namespace, _owner, raise) => {
        raises.push(raise);
        return results[Math.min(raises.length, results.length) - 1] ?? { kind: 'Written' };
      },
    },
    slots: createSlots(1),
    clock: { now: () => 0, sleep: async (time) => void pauses.push(time) },
    random: () => 0,
    emit: (event) => event.kind === 'Warned' && warnings.push(event.warning),
    stop: signal,
    cut: signal,
  });
  return { room, raises, pauses, warnings };
}

const raised = (from: number, to: number): Warning => ({
  kind: 'BackoffLimitRaised',
  namespace: 'demo',
  job: 'work',
  from,
  to,
});

it('a limit that leaves no room is raised, and that is reported', async () => {
  expect(await ask([none, taken], [{ kind: 'Written' }])).toEqual({
    room: 'Taken',
    raises: [{ from: 0, to: 2 }],
    pauses: [],
    warnings: [raised(0, 2)],
  });
});

describe('nothing is raised', () => {
  it.each<readonly [string, Look]>([
    ['if there is room', taken],
    ['if there will be once other pods have ended', { room: 'Full', limit: 0 }],
    ['for a Job that cannot be read', { room: 'None' }],
    ['for a Job whose pods cannot be listed', { room: 'None', limit: 0 }],
  ])('%s', async (_when, look) => {
    expect(await ask([look], [])).toEqual({ room: look.room, raises: [], pauses: [], warnings: [] });
  });
});

it('after a conflict the Job is read again, and the limit that it has by now is raised', async () => {
  const looks = [none, { room: 'None', limit: 1, needed: 4 }, { room: 'Taken', limit: 4 }] as const;
  expect(await ask(looks, [conflict, { kind: 'Written' }])).toMatchObject({
    room: 'Taken',
    raises: [
      { from: 0, to: 2 },
      { from: 1, to: 4 },
    ],
    warnings: [raised(1, 4)],
  });
});

it('a Job that is changed again and again is left alone in the end', async () => {
  const { room, raises, warnings } = await ask([none], [conflict]);
  expect(room).toBe('None');
  expect(raises).toHaveLength(4);
  expect(warnings).toEqual([]);
});

it.each<WriteResult>([
  { kind: 'Refused', message },
  { kind: 'Rejected', message },
])('$kind is final', async (result) => {
  expect(await ask([none], [result])).toMatchObject({ room: 'None', raises: { length: 1 }, warnings: [] });
});

it.each<WriteResult>([
  { kind: 'Busy', message, retryAfter: undefined },
  { kind: 'Undelivered', message },
])('$kind is tried again after a pause', async (result) => {
  expect(await ask([none, none, taken], [result, { kind: 'Written' }])).toMatchObject({
    room: 'Taken',
    pauses: [500],
    warnings: [raised(0, 2)],
  });
});

describe('if there was no answer,', () => {
  it('the Job shows that its limit was raised', async () => {
    expect(await ask([none, taken], [unconfirmed])).toMatchObject({
      room: 'Taken',
      raises: { length: 1 },
      warnings: [raised(0, 2)],
    });
  });

  it('or that it was not, if somebody else made room', async () => {
    expect(await ask([none, { room: 'Taken', limit: 0 }], [unconfirmed])).toMatchObject({
      room: 'Taken',
      warnings: [],
    });
  });
});
