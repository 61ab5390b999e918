/** In microseconds of CPU time. */
const longEnough = 4_000;
const rounds = 40;

/**
 * How many times as long the work takes for four times the input. Both are measured side by side, in CPU time, and only the
 * fastest runs count, which nothing else on the machine slowed down. It measures until they show linear growth, or to the end.
 */
export function growth(workOn: (size: number) => () => unknown, size: number): number {
  const small = workOn(size);
  const large = workOn(4 * size);
  const times = Math.ceil(longEnough / Math.max(timeOf(small, 3) / 3, 1));
  let [fastSmall, fastLarge] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    fastSmall = Math.min(fastSmall, timeOf(small, times));
    fastLarge = Math.min(fastLarge, timeOf(large, times));
    // What grows faster by far takes long to measure.
    const isClear =
      round >= 4 && (fastLarge <= 4.5 * fastSmall || (round >= 14 && fastLarge > 10 * fastSmall));
    if (isClear) break;
  }
  return fastLarge / fastSmall;
}

function timeOf(work: () => unknown, times: number): number {
  const start = process.cpuUsage();
  for (let time = 0; time < times; time++) work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
