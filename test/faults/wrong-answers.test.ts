import { describe, expect, it } from 'vitest';
import { startedOnce } from '../kit/started.ts';
import { almostLists, nothing } from './bodies.ts';
import { atEveryRequest, type Case, firstRead, type Served, survive } from './every-request.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { outcomesOf, writtenBlindly } from './read-case.ts';
import { otherWays, type Way, ways } from './ways.ts';

const cluster = startedOnce(() => FaultyCluster.start());

/** Every eighth text, which is enough beside what each reader makes of all of them. */
const served: readonly Served[] = Object.entries({ ...nothing, ...almostLists })
  .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length < 100_000)
  .filter((_entry, index) => index % 8 === 0)
  .map(([title, body]) => ({ title, times: 1, action: { kind: 'Answer', status: 200, body } }));
const some = served.filter((_one, index) => index % 4 === 0);
const forGood = some.map((one) => ({ ...one, times: Number.POSITIVE_INFINITY }));

/** Whatever was served, and wherever: no pod is lost, and what is reported as done is done. */
function expectTrue({ report, requests, exitCode, took, served: { title }, index }: Case): void {
  const at = `${title} at ${index}`;
  const [first] = outcomesOf(report);
  if (exitCode === 0) expect(first?.[0], at).toMatch(/^(Ended|Gone)$/);
  else expect(exitCode, at).toBe(report.unread.length > 0 ? 3 : 4);
  expect(report.pods.length + report.unread.length + report.undecided.length, at).toBeGreaterThan(0);
  expect(writtenBlindly(requests), at).toEqual([]);
  expect(took, at).toBeLessThan(300_000);
}

describe('A16: an answer of HTTP 200 that is not what was asked for', () => {
  const rest = otherWays.map((way) => [way, some, firstRead] as const);
  it.each<readonly [Way, readonly Served[], object]>([['signal', served, {}], ...rest])(
    'once, at any request of a sweep, is never taken for success: %s',
    async (way, faults, from) =>
      survive('A16', await atEveryRequest(cluster, ways[way], faults, from), expectTrue),
  );

  it.each<readonly [Way, object]>([
    ['signal', {}],
    ['swap', firstRead],
    ['evict', firstRead],
  ])('for good, from any request on: %s', async (way, from) =>
    survive('A16', await atEveryRequest(cluster, ways[way], forGood, from), expectTrue),
  );
});
