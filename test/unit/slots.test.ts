import { expect, it } from 'vitest';
import { createSlots } from '../../src/slots.ts';

/** Work that goes on until it is told to end. */
function openWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}

it('no more work runs at a time than there are slots, and all of it runs in the end', async () => {
  const slots = createSlots(3);
  let inFlight = 0;
  let most = 0;
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      slots(async () => {
        most = Math.max(most, ++inFlight);
        await Promise.resolve();
        inFlight--;
        return index;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

it('work that fails gives its slot back', async () => {
  const slots = createSlots(1);
  await expect(slots(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await slots(async () => 'next')).toBe('next');
});

it('work waits for a slot, and starts as soon as there is one', async () => {
  const slots = createSlots(1);
  const first = openWork();
  const holding = slots(() => first.ended);
  let started = false;
  const second = slots(async () => {
    started = true;
  });
  await Promise.resolve();
  expect(started).toBe(false);
  first.end();
  await Promise.all([holding, second]);
  expect(started).toBe(true);
});
