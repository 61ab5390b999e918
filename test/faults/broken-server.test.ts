import { describe, expect, it } from 'vitest';
import { startedOnce } from '../kit/started.ts';
import { atEveryRequest, firstRead, type Served, survive } from './every-request.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { outcomesOf, writtenBlindly } from './read-case.ts';
import { otherWays, type Way, ways } from './ways.ts';

const cluster = startedOnce(() => FaultyCluster.start());

const all = [500, 502, 503, 504].flatMap((status) => [served(status), served(status, '2')]);
const some = [served(502), served(503, '2')];
const forGood = [served(500), served(503, '2')].map((one) => ({ ...one, times: Number.POSITIVE_INFINITY }));

/** Longer than the longest step with its tries, and what proves it. */
const longest = 300_000;
/** Ten times what a sweep without trouble makes. */
const mostRequests = 150;

describe('A12: a server that fails', () => {
  const whole = [['signal', all, {}]] as const;
  const rest = otherWays.map((way) => [way, some, firstRead] as const);
  it.each<readonly [Way, readonly Served[], object]>([...whole, ...rest])(
    'one request changes no outcome, and nothing is written blindly: %s',
    async (way, faults, from) => {
      const cases = await atEveryRequest(cluster, ways[way], faults, from);
      survive('A12', cases, ({ report, calm, requests, exitCode, served, index }) => {
        const at = `${served.title} at ${index}`;
        expect(outcomesOf(report), at).toEqual(outcomesOf(calm.report));
        expect(exitCode, at).toBe(0);
        expect(writtenBlindly(requests), at).toEqual([]);
      });
    },
  );

  it.each<readonly [Way, object]>([
    ['signal', {}],
    ['swap', firstRead],
    ['evict', firstRead],
  ])('for good ends the sweep, which says why: %s', async (way, from) => {
    const cases = await atEveryRequest(cluster, ways[way], forGood, from);
    survive('A12', cases, ({ report, requests, exitCode, took, served, index }) => {
      const at = `${served.title} at ${index}`;
      expect(exitCode, at).toBe(report.unread.length > 0 ? 3 : 4);
      expect(JSON.stringify(report), at).toMatch(/HTTP 50[03]|"Unsettled"/);
      expect(writtenBlindly(requests), at).toEqual([]);
      expect(took, at).toBeLessThan(longest);
      expect(requests.length, at).toBeLessThan(mostRequests);
    });
  });
});

function served(status: number, after?: string): Served {
  const headers: Record<string, string> = after === undefined ? {} : { 'Retry-After': after };
  const title = `${status}${after === undefined ? '' : ` with Retry-After: ${after}`}`;
  return { title, times: 1, action: { kind: 'Answer', status, body: {}, headers } };
}
