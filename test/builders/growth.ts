/**
 * Between work that grows with its input, which takes 4 times as long for 4 times as much, and work that grows with its square,
 * which takes 16 times as long. Half-way between them, so that a loaded machine does not make one look like the other.
 */
export const quadratic = 8;

/** In microseconds of CPU time. */
const longEnough = 4_000;
const rounds = 40;

/**
 * How many times as long the work takes for four times the input: one large input is compared with four small ones, which are as
 * many bytes and leave as much garbage, so that caches and a loaded machine slow down both alike. They are measured side by side,
 * in CPU time, and only the fastest runs count. It measures until they show linear growth, or to the end.
 */
export function growth(workOn: (size: number) => () => unknown, size: number): number {
  const smalls = Array.from({ length: 4 }, () => workOn(size));
  const four = () => smalls.map((work) => work());
  const large = workOn(4 * size);
  const times = Math.ceil(longEnough / Math.max(timeOf(four, 3) / 3, 1));
  let [fastFour, fastLarge] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    fastFour = Math.min(fastFour, timeOf(four, times));
    fastLarge = Math.min(fastLarge, timeOf(large, times));
    const ratio = fastLarge / fastFour;
    // What grows faster by far takes long to measure.
    const isClear =
      ratio <= 1.1 || (round >= 8 && ratio <= 1.5) || (round >= 14 && 4 * ratio > 1.5 * quadratic);
    if (round >= 4 && isClear) break;
  }
  return (4 * fastLarge) / fastFour;
}

function timeOf(work: () => unknown, times: number): number {
  const start = process.cpuUsage();
  for (let time = 0; time < times; time++) work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
