import { describe, expect, it } from 'vitest';
import { type Gate, NoopGate } from '../../../src/apply/noop-gate.ts';
import type { Observation } from '../../../src/vocabulary.ts';
import { steps } from '../../builders/plan.ts';

const swap = steps.ImageSwap;
const notStarted: Observation = { kind: 'NotStarted', reason: 'ImagePullBackOff' };
const ended: Observation = { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: undefined };

function gate(): (step?: Parameters<NoopGate['permit']>[0]) => Promise<Gate> {
  const noopGate = new NoopGate(new AbortController().signal);
  return (step = swap) => noopGate.permit(step);
}

/** The kinds of gates, or that one still waits. */
async function soFar(gates: readonly Promise<Gate>[]): Promise<readonly string[]> {
  const turn = new Promise<string>((resolve) => setImmediate(resolve, 'waits'));
  return Promise.all(gates.map((each) => Promise.race([each.then(({ kind }) => kind), turn])));
}

async function tell(
  first: Promise<Gate> | undefined,
  ...observations: readonly Observation[]
): Promise<void> {
  const permitted = await first;
  if (permitted?.kind !== 'First') expect.fail('it is not the first');
  permitted.tell(observations);
}

describe('of pods that are to be swapped', () => {
  it('one goes first, and the others wait for what comes of it', async () => {
    const ask = gate();
    expect(await soFar([ask(), ask(), ask()])).toEqual(['First', 'waits', 'waits']);
  });

  it('all others follow when its no-op image ran', async () => {
    const ask = gate();
    const gates = [ask(), ask(), ask()];
    await tell(gates[0], ended);
    expect(await soFar([...gates, ask()])).toEqual(['First', 'Go', 'Go', 'Go']);
  });

  it('no other is touched when the image does not start', async () => {
    const ask = gate();
    const gates = [ask(), ask(), ask()];
    await tell(gates[0], ended, notStarted);
    expect(await soFar([...gates, ask()])).toEqual(['First', 'Held', 'Held', 'Held']);
  });

  it('the next goes first when the first was not swapped, or says nothing of the image', async () => {
    const ask = gate();
    const gates = [ask(), ask(), ask()];
    await tell(gates[0]);
    await tell(gates[1], { kind: 'Running' });
    expect(await soFar(gates)).toEqual(['First', 'First', 'First']);
  });

  it('those for another image have a first of their own', async () => {
    const ask = gate();
    await tell(ask(), notStarted);
    expect(await soFar([ask({ ...swap, image: 'other:1' })])).toEqual(['First']);
  });
});

it('what swaps no image waits for nobody', async () => {
  const ask = gate();
  expect(await soFar([ask(), ask(steps.Evict), ask(steps.Delete)])).toEqual(['First', 'Go', 'Go']);
});
