import { describe, expect, it } from 'vitest';
import { almostLists, nothing } from './bodies.ts';
import {
  atEveryRequest,
  type Case,
  firstRead,
  otherWays,
  playEach,
  type Served,
  type Way,
  ways,
} from './every-request.ts';
import {
  expectGivenUp,
  expectUnharmed,
  FaultyCluster,
  outcomesOf,
  survive,
  writtenBlindly,
} from './faulty-cluster.ts';

const cluster = FaultyCluster.startedOnce();

/** Longer than the longest step with its tries, and what proves it. */
const longest = 300_000;
/** About ten times what a sweep without trouble makes. */
const mostRequests = 160;

const forGood = (all: readonly Served[]) => all.map((one) => ({ ...one, times: Number.POSITIVE_INFINITY }));
/** Each of these at any request of a signal, and some of them at what differs in the other ways. */
const atAll = (all: readonly Served[], some: readonly Served[]) => [
  ['signal', all, {}] as const,
  ...otherWays.map((way) => [way, some, firstRead] as const),
];
const three: readonly (readonly [Way, object])[] = [
  ['signal', {}],
  ['swap', firstRead],
  ['evict', firstRead],
];

describe('A12: a server that fails', () => {
  const all = [500, 502, 503, 504].flatMap((status) => [failing(status), failing(status, '2')]);
  it.each(atAll(all, [failing(502), failing(503, '2')]))(
    'one request changes no outcome, and nothing is written blindly: %s',
    async (way, faults, from) => {
      const cases = await atEveryRequest(cluster, ways[way], faults, from);
      survive('A12', cases, ({ report, calm, requests, exitCode, at }) => {
        expect(outcomesOf(report), at).toEqual(outcomesOf(calm.report));
        expect(exitCode, at).toBe(0);
        expect(writtenBlindly(requests), at).toEqual([]);
      });
    },
  );

  it.each(three)('for good ends the sweep, which says why: %s', async (way, from) => {
    const faults = forGood([failing(500), failing(503, '2')]);
    const cases = await atEveryRequest(cluster, ways[way], faults, from);
    survive('A12', cases, (one) => {
      const { requests, at } = one;
      expectGivenUp(one, /HTTP 50[03]|"Unsettled"/, at, longest);
      expect(writtenBlindly(requests), at).toEqual([]);
      expect(requests.length, at).toBeLessThan(mostRequests);
    });
  });
});

function failing(status: number, after?: string): Served {
  const headers: Record<string, string> = after === undefined ? {} : { 'Retry-After': after };
  const title = `${status}${after === undefined ? '' : ` with Retry-After: ${after}`}`;
  return { title, times: 1, action: { kind: 'Answer', status, body: {}, headers } };
}

describe('A16: an answer of HTTP 200 that is not what was asked for', () => {
  /** Every eighth text, which is enough beside what each reader makes of all of them. */
  const all: readonly Served[] = Object.entries({ ...nothing, ...almostLists })
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length < 100_000)
    .filter((_entry, index) => index % 8 === 0)
    .map(([title, body]) => ({ title, times: 1, action: { kind: 'Answer', status: 200, body } }));
  const some = all.filter((_one, index) => index % 4 === 0);

  /** Whatever was served, and wherever: no pod is lost, and what is reported as done is done. */
  function expectTrue({ report, requests, exitCode, took, at }: Case): void {
    const [first] = outcomesOf(report);
    if (exitCode === 0) expect(first?.[0], at).toMatch(/^(Ended|Gone)$/);
    else expect(exitCode, at).toBe(report.unread.length > 0 ? 3 : 4);
    expect(report.pods.length + report.unread.length + report.undecided.length, at).toBeGreaterThan(0);
    expect(writtenBlindly(requests), at).toEqual([]);
    expect(took, at).toBeLessThan(longest);
  }

  it.each(atAll(all, some))(
    'once, at any request of a sweep, is never taken for success: %s',
    async (way, faults, from) =>
      survive('A16', await atEveryRequest(cluster, ways[way], faults, from), expectTrue),
  );

  it.each(three)('for good, from any request on: %s', async (way, from) =>
    survive('A16', await atEveryRequest(cluster, ways[way], forGood(some), from), expectTrue),
  );
});

describe('A8: 409 for whatever changes a pod', () => {
  const message = 'the object has been modified';
  const body = { kind: 'Status', status: 'Failure', reason: 'Conflict', message };
  const when = ({ method, subresource }: { method: string; subresource: string }) =>
    method !== 'GET' || subresource !== '';
  const conflicting = (times: number) =>
    playEach(
      cluster,
      Object.values(ways).map((way) => ({
        ...way,
        trouble: (namespace, { faults }) =>
          faults.add({ namespace, resource: 'pods', when }, { kind: 'Answer', status: 409, body }, { times }),
      })),
    );

  it.each([1, 2, 3])('%i times is tried again, each time after another read', async (times) => {
    survive('A8', await conflicting(times), expectUnharmed);
  });

  it('for good ends after some tries, and says so', async () => {
    survive('A8', await conflicting(Number.POSITIVE_INFINITY), ({ report, exitCode, requests }) => {
      expect(outcomesOf(report)).toEqual([['Stuck', 'StillRunning']]);
      expect(JSON.stringify(report)).toContain(message);
      expect(exitCode).toBe(4);
      expect(requests.filter(({ status }) => status === 409).length).toBeLessThan(30);
      expect(writtenBlindly(requests)).toEqual([]);
    });
  });
});
