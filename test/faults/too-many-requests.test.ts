import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../kit/emulator/index.ts';
import { quits, type StuckPod, sidecars, stuckPod } from '../kit/stuck-pods.ts';
import { ownAccount } from './accounts.ts';
import {
  atEveryRequest,
  type Case,
  firstRead,
  otherWays,
  type Served,
  type Way,
  ways,
} from './every-request.ts';
import {
  expectGivenUp,
  FaultyCluster,
  outcomesOf,
  survive,
  type Trouble,
  writtenBlindly,
} from './faulty-cluster.ts';

const cluster = FaultyCluster.startedOnce();

/** The header, and for how many milliseconds no request may follow. */
type Form = Served & { readonly quiet: number };

/** A sweep has some twenty requests left, each of which waits as long as the server is granted. */
const longest = 900_000;
/** The longest pause that a server is granted. */
const most = 30_000;

// biome-ignore format: as many as fit on a line
const whole: readonly Form[] = [
  form(undefined, 0), form('3', 3_000), form('0', 0), form('-1', 0), form('1000000000', most),
  form('9'.repeat(400), most), form('1e9', 0), form('1.5', 0), form('Wed, 21 Oct 2099 07:28:00 GMT', 0),
  form('Wed, 21 Oct 1999 07:28:00 GMT', 0), form('soon', 0), form('', 0),
];
const some = whole.filter((_form, index) => index === 1 || index === 4);
const forGood = whole.map((one) => ({ ...one, times: Number.POSITIVE_INFINITY }));

describe('A11: 429 with every form of Retry-After', () => {
  const rest = otherWays.map((way) => [way, some, firstRead] as const);
  it.each<readonly [Way, readonly Form[], object]>([['signal', whole, {}], ...rest])(
    'once is waited for by the request itself, for as long as is sensible: %s',
    async (way, forms, from) => {
      const cases = await atEveryRequest(cluster, ways[way], forms, from);
      survive('A11', cases, (one) => {
        const { report, calm, exitCode, took, requests, served, at } = one;
        expect(outcomesOf(report), at).toEqual(outcomesOf(calm.report));
        expect(exitCode, at).toBe(0);
        expect(early(one), at).toEqual([]);
        expect(took, at).toBeLessThan(calm.took + served.quiet + 5_000);
        expect(writtenBlindly(requests), at).toEqual([]);
      });
    },
  );

  it('for good ends the sweep, which says why', async () => {
    const first = await atEveryRequest(cluster, ways.signal, forGood.slice(0, 5));
    survive('A11', first, (one) => {
      const { requests, at } = one;
      expectGivenUp(one, /HTTP 429|"Unsettled"|"Undelivered"/, at, longest);
      expect(requests.length, at).toBeLessThan(150);
    });
  });

  it.each(['eviction', 'exec', 'portforward'])(
    'to pods/%s keeps only its own pod waiting',
    async (subresource) => {
      const played = await cluster.playAll([429, 503].map((status) => refused(subresource, status, {})));
      survive('A11', played, (one) => {
        const tooSoon = early({ ...one, served: { quiet: 10_000 } }, () => true);
        expect(tooSoon.filter((path) => path.includes('pod-1'))).toEqual([]);
        expect(tooSoon).not.toEqual([]);
        const outcome = subresource === 'eviction' ? ['Gone', 'Gone'] : ['Ended', 'Stopped'];
        expect(outcomesOf(one.report)).toEqual([outcome, outcome, outcome]);
      });
    },
  );
});

/** One request of one of three pods is refused once, for 10 s. */
function refused(subresource: string, status: number, body: object): Trouble {
  const isEviction = subresource === 'eviction';
  const bySignal: StuckPod = { sidecar: isEviction ? sidecars.immune : sidecars.clean };
  const pod = subresource === 'portforward' ? quits : bySignal;
  return {
    account: ownAccount(cluster.emulator),
    pods: (namespace) =>
      [0, 1, 2].map((index) => stuckPod({ ...pod, namespace, name: `pod-${index}`, grace: 30 })),
    policy: { annotationCommands: 'any', ...(isEviction && { lastResort: [{ evict: true }] }) },
    trouble: (namespace, { faults }) =>
      void faults.add(
        { subresource, namespace, name: 'pod-1' },
        { kind: 'Answer', status, body, headers: { 'Retry-After': '10' } },
        { times: 1 },
      ),
  };
}

/** Those that came again in the time in which the server wanted none of them. */
function early(
  { requests, served: { quiet } }: Pick<Case<Form>, 'requests'> & { readonly served: Pick<Form, 'quiet'> },
  isAlike = (told: RequestRecord, one: RequestRecord) => told.method === one.method && told.path === one.path,
): readonly string[] {
  const told = requests.filter(({ status }) => status === 429 || status === 503);
  return requests.flatMap((one) => {
    const at = one.at.getTime();
    const since = told.filter((other) => isAlike(other, one)).map((other) => other.at.getTime());
    return since.some((start) => at > start && at < start + quiet) ? [one.path] : [];
  });
}

function form(after: string | undefined, quiet: number): Form {
  const headers: Record<string, string> = after === undefined ? {} : { 'Retry-After': after };
  const title = `Retry-After: ${after?.slice(0, 30)}`;
  return { title, times: 1, quiet, action: { kind: 'Answer', status: 429, body: {}, headers } };
}
