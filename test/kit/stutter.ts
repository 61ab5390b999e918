import type { Emulator, FaultAction } from './emulator/index.ts';

const faults: readonly FaultAction[] = [
  { kind: 'Answer', status: 429, headers: { 'Retry-After': '1' } },
  { kind: 'Answer', status: 500, body: 'oops' },
  { kind: 'Answer', status: 503, body: '<html>busy</html>' },
  { kind: 'CutBody', bytes: 200 },
  { kind: 'Drop' },
];

/** From now on, one request of ten fails, at random: reads, writes, lists and execs. Returns how many have failed so far. */
export function stutter(emulator: Emulator, seed: number): () => number {
  let state = seed;
  let failed = 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (const [index, fault] of faults.entries()) {
    // Of the requests that the faults before it have left alone.
    const share = 0.1 / (faults.length - 0.1 * index);
    emulator.faults.add({ when: () => random() < share && ++failed > 0 }, fault);
  }
  return () => failed;
}
