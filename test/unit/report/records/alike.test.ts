import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLine, toLines } from '../../../../src/report/json.ts';
import { fromDifference, toDifference } from '../../../../src/report/records/alike.ts';
import { Rebuild } from '../../../../src/report/records/rebuild.ts';
import { toRecords } from '../../../../src/report/records/write.ts';
import type { PodReport, SweepReport } from '../../../../src/report/schema.ts';
import { attempt, candidate } from '../../../builders/plan.ts';
import { podView } from '../../../builders/pod-view.ts';
import {
  finished,
  listed,
  planMade,
  podRef,
  reportOf,
  started,
  withSidecars,
} from '../../../builders/report.ts';

/** A report of pods whose sidecars were held, each at another time. */
function heldReport(pods: number, of: { job?: string; namespace?: string; node?: string } = {}): SweepReport {
  const { job = 'import', namespace = 'demo', node = 'node1' } = of;
  const candidates = Array.from({ length: pods }, (_, number) => {
    const name = `${job}-${number}-x7k2p`;
    const owner = { group: 'batch', kind: 'Job', name: `${job}-${number}`, uid: `job-${number}` };
    const uid = `0d4e5cf0-3a5e-4b0e-9c53-4f6b6dcb${1000 + number}`;
    return candidate(podView({ ref: { ...podRef(number), namespace, name, uid }, owner, node }));
  });
  const blocked = { kind: 'Blocked', reason: 'UnknownEnd' } as const;
  return reportOf(
    started(),
    ...listed(...candidates),
    planMade(...candidates),
    ...candidates.map(({ pod }, index) => {
      const held = { ...attempt(blocked), sentAt: attempt().sentAt + index };
      const outcome = { kind: 'StillRunning', because: blocked } as const;
      const target = { container: 'sidecar', attempts: [held], outcome, endedAt: undefined };
      const conclusion = { pod: pod.ref, targets: [target], outcome: blocked };
      return { kind: 'PodConcluded', conclusion } as const;
    }),
    finished,
  );
}

/** What is read back from the lines of a report, without those that are lost. */
function rebuilt(report: SweepReport, isLost: (record: { readonly index: number }) => boolean = () => false) {
  const rebuild = new Rebuild();
  for (const line of toLines(toRecords(report))) {
    const record = JSON.parse(line);
    if (!isLost(record)) rebuild.takeRecord(record, 'stdin');
  }
  return rebuild.rebuilt();
}

describe('pods that are alike', () => {
  const report = heldReport(800);
  const node = 'ip-10-0-112-134.eu-west-1.compute.internal';
  const long = { job: 'nightly-reconciliation-29384', namespace: 'team-payments', node };

  it.each([
    ['short names', {}, 'import-1'],
    ['the long names of CronJobs and of nodes in a cloud', long, `${long.job}-1`],
  ])('are written with what they share once, and each of 800 is short, with %s', (_what, of, job) => {
    const report = heldReport(800, of);
    const lines = [...toLines(toRecords(report))].filter((line) => line.includes('"kind":"Pod"'));
    const [first = 0, ...others] = lines.map((line) => Buffer.byteLength(line));
    expect(first).toBeGreaterThan(1_000);
    expect(others).toHaveLength(799);
    expect(Math.max(...others)).toBeLessThanOrEqual(520);
    const { namespace, name } = report.pods[1] as PodReport;
    const names = { 'k8s.namespace.name': namespace, 'k8s.pod.name': name, 'k8s.job.name': job };
    const said = { level: 'warn', message: 'blocked', outcome: 'Blocked', reason: 'UnknownEnd' };
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ like: 0, ...names, ...said });
    expect(rebuilt(report)).toMatchObject({ reports: [JSON.parse(JSON.stringify(report))], lost: 0 });
  });

  it('are lost with the one that they refer to', () => {
    const small = heldReport(5);
    const { reports, lost } = rebuilt(small, ({ index }) => index === 0);
    expect(lost).toBe(5);
    expect(reports[0]?.pods).toEqual([]);
    expect(rebuilt(small, ({ index }) => index === 2)).toMatchObject({ lost: 1 });
  });

  it('are written whole if one of them has no room in a line', () => {
    const log = { lines: Array.from({ length: 5_000 }, () => 'a line of a log') };
    const [one, two] = heldReport(2).pods as readonly [PodReport, PodReport];
    const long = (pod: PodReport) =>
      withSidecars(pod, ({ attempts }) => ({ attempts: attempts.map((made) => ({ ...made, log })) }));
    for (const pods of [
      [long(one), two],
      [one, long(two)],
    ]) {
      const records = [...toRecords({ ...report, pods })].map((record) => JSON.parse(toLine(record)));
      expect(records.filter(({ like }) => like !== undefined)).toEqual([]);
    }
  });
});

it('any pod is made again from any other and what differs', () => {
  const [like] = heldReport(1).pods as readonly [PodReport];
  const times = fc.constantFrom(like.mainsEndedAt, '2026-11-21T03:00:01.000Z', '2026-11-21T03:00:02.000Z');
  const pods = fc
    .record({
      name: fc.string(),
      node: fc.option(fc.string(), { nil: undefined }),
      owner: fc.constantFrom(undefined, { kind: 'Job', name: 'a' }, { kind: 'Workflow', name: 'b' }),
      mainsEndedAt: times,
      endedAt: times,
      containers: fc.nat(3),
      exitCode: fc.option(fc.nat(255), { nil: undefined }),
    })
    .map(({ name, node, owner, mainsEndedAt, endedAt, containers, exitCode }): PodReport => {
      const { node: _node, owner: _owner, ...rest } = like;
      const all = Array.from({ length: containers }, () => like.containers).flat();
      return {
        ...rest,
        name,
        mainsEndedAt,
        ...(node !== undefined && { node }),
        ...(owner && { owner }),
        containers: all.map((one) => (one.role === 'Main' ? { ...one, endedAt } : one)),
        prediction: { ...like.prediction, ...(exitCode !== undefined && { exitCode }) },
      };
    });
  fc.assert(
    fc.property(pods, pods, (first, pod) => {
      const { namespace, name, uid, node } = pod;
      const fields = { 'k8s.namespace.name': namespace, 'k8s.pod.name': name, 'k8s.pod.uid': uid };
      const written = JSON.parse(JSON.stringify(toDifference(first, pod)));
      expect(fromDifference(first, written, { ...fields, 'k8s.node.name': node })).toEqual(pod);
    }),
  );
});
