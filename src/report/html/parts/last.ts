import type { SweepReport } from '../../schema.ts';

/** The last report of each cluster; the last one comes first. */
export function lastOfEach(reports: readonly SweepReport[]): readonly SweepReport[] {
  return [...new Map([...reports].reverse().map((one) => [one.cluster.server, one])).values()];
}
