import { describe, expect, it } from 'vitest';
import { historyOf } from '../../../../src/report/history/history.ts';
import type { ReadReports } from '../../../../src/report/records/read.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { hour, minute, now } from '../../../builders/pod-view.ts';
import { plain, renderHistory } from '../../../builders/rendered.ts';
import { endedPod, stuckPod, sweepAt } from '../../../builders/sweeps.ts';

const advice = 'set a kill command';
const blocked = stuckPod({ name: 'load', namespace: 'etl', owner: { kind: 'Job', name: 'load' }, advice });

/** Hourly sweeps: one pod that is blocked, and a CronJob whose pods get stuck and are ended. */
const reports = [0, 1, 2].map((index) => {
  const at = now + index * hour;
  const owner = { kind: 'Job', name: `bill-${at / minute}` };
  const istio = { sidecar: 'istio-proxy', image: 'istio/proxyv2:1' };
  const bill = { name: `${owner.name}-x`, namespace: 'billing', owner, ...istio };
  const ended = endedPod({ ...bill, mainsEndedAt: at - minute, endedAt: at + minute });
  return sweepAt({ at, pods: [blocked, ended] });
});

it('says what became of the pods, then what to do', () => {
  expect(renderHistory(historyOf(reports), plain)).toMatchInlineSnapshot(`
    "2026-11-21 04:00 to 2026-11-21 06:01 UTC (2h1m): 3 sweeps.
    4 pods were stuck: sweeps ended 3, 0 ended or went away otherwise, 1 is still stuck.
    Freed 3 cores, 12 GiB; reclaimed 1.9 core-hours, 7.7 GiB-hours.
    Wasted 3.1 core-hours, 12.4 GiB-hours; 3 core-hours, 12 GiB-hours of that by pods that are still stuck.
    Pods that are still stuck reserve 1 core, 4 GiB.

    What kept pods running, and what became of them
    SIDECAR       PODS   SINCE              CORE-HOURS   GIB-HOURS   OUTCOME            IMAGE             SUCH AS
    proxy         1      2026-11-21 03:00   3            12          blocked            acme/proxy:1      etl/load
    istio-proxy   3      2026-11-21 03:59   0.1          0.4         ended by a sweep   istio/proxyv2:1   billing/bill-29920560-x
    1 pod blocked (proxy): it is known to exit with a code other than 0. To end it: set a kill command
    To keep such pods from getting stuck: sidecar-sweeper advise -n etl -n billing

    Pods that are still stuck
    NAMESPACE   POD    STUCK FOR   SWEEPS   CORE-HOURS   GIB-HOURS   WHY
    etl         load   3h          3        3            12          blocked

    By owner
    NAMESPACE   OWNER          TIMES   LAST               PODS   ENDED   GONE   STUCK   CORE-HOURS   GIB-HOURS   SIDECARS
    etl         Job/load       1       2026-11-21 03:00   1      0       0      1       3            12          acme/proxy:1
    billing     CronJob/bill   3       2026-11-21 05:59   3      3       0      0       0.1          0.4         istio/proxyv2:1

    By namespace
    NAMESPACE   PODS   ENDED   GONE   STUCK   CORE-HOURS   GIB-HOURS
    etl         1      0       0      1       3            12
    billing     3      3       0      0       0.1          0.4

    Over time (UTC)
    FROM               SWEEPS   FOUND   ENDED   GONE   STUCK   CORE-HOURS   GIB-HOURS
    2026-11-21 04:00   1        2       1       0      1       1            4.1
    2026-11-21 05:00   1        1       1       0      1       1            4.1
    2026-11-21 06:00   1        1       1       0      1       0.017        0.067
    "
  `);
});

it('names clusters only if there are several', () => {
  const staging = sweepAt({ at: now, context: 'staging', pods: [blocked] });
  const both = renderHistory(historyOf([...reports, staging]), plain);
  expect(both).toContain('4 sweeps of 2 clusters.');
  expect(both).toMatch(/^CLUSTER +NAMESPACE +POD/m);
  expect(both).toMatch(/^staging +etl +load/m);
  expect(both).toMatch(/^By cluster$/m);
});

it('tells clusters with one address apart, and has the uid of each', () => {
  const within = { at: now, context: 'inClusterContext', server: 'https://10.96.0.1:443', pods: [blocked] };
  const uids = ['5f2c1a9e-8d1b-4c5e-9a77-0c1d2e3f4a5b', 'b81d03c4-0f0e-4d7c-8b52-6d5c4b3a2f1e'];
  const both = renderHistory(historyOf(uids.map((clusterUid) => sweepAt({ ...within, clusterUid }))), plain);
  for (const uid of uids) {
    expect(both).toMatch(new RegExp(`^inClusterContext \\(${uid.slice(0, 8)}\\) +etl +load`, 'm'));
    expect(both).toMatch(new RegExp(` ${uid}$`, 'm'));
  }
});

it('a table has the ten worst rows, all of them with -o wide', () => {
  const pods = Array.from({ length: 12 }, (_, index) => stuckPod({ name: `pod-${index}` }));
  const many = historyOf([sweepAt({ at: now, pods })]);
  expect(renderHistory(many, plain)).toContain('and 2 more (-o wide)');
  const wide = renderHistory(many, { ...plain, wide: true });
  expect(wide).not.toContain('more');
  expect(wide.match(/^demo +pod-/gm)).toHaveLength(12);
});

describe('what is not counted, and what is missing, is said:', () => {
  const sweep = sweepAt({ at: now, pods: [blocked] });
  const none: Omit<ReadReports, 'reports'> = { truncated: 0, unreadable: [], lost: 0, unfinished: 0 };
  const dry = { ...sweep, run: { ...sweep.run, dryRun: true } };
  const newer = { file: 'v2.json', reports: 1 };
  const idle = { ...blocked, requests: { cpu: 0, memory: 0 } };
  const harmed = { ...blocked, harm: { kind: 'RunsAgain', permitted: true } } as const;
  // biome-ignore format: one row a line
  it.each<readonly [said: string, reports: readonly SweepReport[], missing: Partial<typeof none>]>([
    ['1 dry run is not counted', [sweep, dry], {}],
    ['cannot read 1 report in v2.json: damaged, or written by another version.', [sweep], { unreadable: [newer] }],
    ['1 line was cut off', [sweep], { truncated: 1 }],
    ['2 lines were cut off', [sweep], { truncated: 2 }],
    ['1 run whose last record is missing is not counted', [sweep], { unfinished: 1 }],
    ['1 record of the other runs is missing', [sweep], { lost: 1 }],
    ['Of 1 report, 1 stopped early', [sweepAt({ at: now, stoppedEarly: 'Deadline' })], {}],
    ['The input contains no report of a sweep.\n1 dry run is not counted', [dry], {}],
    ['reserve nothing, as they have no requests', [sweepAt({ at: now, pods: [idle] })], {}],
    ['1 pod has no resource requests: what it wasted is unknown', [sweepAt({ at: now, pods: [blocked, { ...idle, uid: 'idle' }] })], {}],
    ['No pod was stuck.', [sweepAt({ at: now })], {}],
    ['Sweeps harmed the finished work of 1 pod (see', [sweepAt({ at: now, pods: [harmed] })], {}],
  ])('%s', (said, reports, missing) => {
    expect(renderHistory(historyOf(reports, { ...none, ...missing }), plain)).toContain(said);
  });
});

it('has no table of zeros without a sweep', () => {
  const text = renderHistory(historyOf([sweepAt({ at: now, dryRun: true })]), plain);
  const said = 'The input contains no report of a sweep.\n1 dry run is not counted: nothing was ended.\n';
  expect(text).toBe(said);
});

it.each([40, 60, 80])('tells how many, how long and why at %i columns as well', (width) => {
  const lines = renderHistory(historyOf(reports), { ...plain, width }).split('\n');
  const after = (title: string) =>
    lines.slice(lines.indexOf(title) + 1, lines.indexOf(title) + 12).join('\n');
  expect(after('What kept pods running, and what became of them')).toMatch(/\bpods\b/i);
  expect(after('Pods that are still stuck')).toMatch(/stuck for.*\bwhy\b/is);
});

it('gives each reason and advice once', () => {
  const immune = { kind: 'StillRunning', because: { kind: 'Immune', message: 'x' } } as const;
  const pods = [blocked, stuckPod({ name: 'b', advice, outcome: { kind: 'Stuck' }, sidecarOutcome: immune })];
  const text = renderHistory(historyOf([sweepAt({ at: now, pods })]), plain);
  expect(text.match(/^\d pod.* To end .*$/gm)).toEqual([
    '1 pod blocked (proxy): it is known to exit with a code other than 0. To end it: set a kill command',
    '1 pod immune (proxy): x. To end it: set a kill command',
  ]);
  const alike = [blocked, stuckPod({ name: 'b', advice, sidecar: 'other' })];
  const expected = '2 pods blocked (proxy, other): ';
  expect(renderHistory(historyOf([sweepAt({ at: now, pods: alike })]), plain)).toContain(expected);
});
