import { expect, it } from 'vitest';
import { clockOf } from '../builders/stepped-clock.ts';
import { startedForEach } from '../kit/started.ts';
import { stuckPod } from '../kit/stuck-pods.ts';
import { expectSound, FaultyCluster, sentAmong, type Trouble } from './faulty-cluster.ts';
import { wrongEnds } from './races/changes.ts';
import { expectFair, race, racesOf } from './races/race.ts';
import { rungs } from './races/rungs.ts';
import { isReadOfPods } from './races/watcher.ts';
import { tally } from './tally.ts';

const cluster = startedForEach(() => FaultyCluster.start());

const hour = 3_600_000;
const bySignal = rungs.filter(({ title }) => title === 'a signal by exec');

it.each(wrongEnds)('C5: a pod is left alone, at every request of its sweep, if it $title', async (change) => {
  expectFair(await race(cluster, await racesOf(cluster, change, bySignal)), 'C5');
});

it.each([-hour, hour])('C5: a sweeper whose own clock is %i ms off does the same', async (off) => {
  const clock = clockOf(cluster.simulated.simulation.clock);
  const skewed = { ...clock, now: () => clock.now() + off };
  const [right, wrong] = await cluster.playAll([{}, { clock: skewed }]);
  if (!right || !wrong) return expect.unreachable();
  expectSound([right, wrong], 'C5');
  const sentBy = ({ requests }: typeof right) =>
    requests.map(({ verb, resource, subresource }) => `${verb} ${resource}/${subresource}`);
  expect(sentBy(wrong)).toEqual(sentBy(right));
  expect(wrong.report.totals).toEqual(right.report.totals);
  expect(wrong.took).toBe(right.took);
  tally('faults', 'C5', 1);
});

const now = Date.now();
/** What the server writes from some request on, and whether its pods, which ended an hour before, are old enough by that. */
const dates: readonly (readonly [title: string, date: string, isOld: boolean])[] = [
  ['an hour behind', new Date(now - hour).toUTCString(), false],
  ['an hour ahead', new Date(now + hour).toUTCString(), true],
  ['in the year 1', 'Mon, 01 Jan 0001 00:00:00 GMT', false],
  ['in the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT', true],
  ['no date', 'soon', false],
  ['empty', '', false],
];

it.each(dates)('C5: nothing too young is swept when the clock is %s', async (_title, date, isOld) => {
  const one = { flags: { minAge: hour / 2 }, pods: (namespace: string) => [stuckPod({ namespace })] };
  const [calm] = await cluster.playAll([one]);
  const cases = (calm?.requests ?? []).map(
    (_, skip): Trouble => ({
      ...one,
      trouble: (namespace, { faults }) =>
        faults.add({ namespace }, { kind: 'Headers', headers: { date } }, { skip }),
    }),
  );
  const played = await cluster.playAll(cases);
  const stuckWhenListed = played.map((one) => (one.report.pods.length > 0 ? one : { ...one, before: [] }));
  expectSound(stuckWhenListed, 'C5');
  for (const [skip, { requests, report, took }] of played.entries()) {
    const firstRead = requests.findIndex((request, index) => index >= skip && isReadOfPods(request));
    const sentAfter = sentAmong(requests.slice(firstRead + 1));
    if (!isOld && firstRead >= 0) expect(sentAfter, `${date} from ${skip}`).toEqual([]);
    if (isOld) expect(report.totals.pods).toEqual({ Ended: 1 });
    expect(took).toBeLessThan(60_000);
  }
  tally('faults', 'C5', played.length);
});
