import { describe, expect, it } from 'vitest';
import { toRecords } from '../../../../src/report/records/write.ts';
import type { PodReport } from '../../../../src/report/schema.ts';
import { podOutcomes, warnings } from '../../../builders/kinds.ts';
import { fullReport } from '../../../builders/report.ts';

interface Record {
  readonly kind: string;
  readonly index: number;
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

const report = fullReport(2);
const records = [...toRecords(report)] as readonly Record[];
const [pod] = report.pods;

function podRecord(more: Partial<PodReport>): Record | undefined {
  const one = { ...pod, ...more } as PodReport;
  return ([...toRecords({ ...report, pods: [one] })] as Record[]).find(({ kind }) => kind === 'Pod');
}

it('there is one record for each entry of a list, and the Summary is the last', () => {
  const kinds = records.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'Pod')).toHaveLength(2);
  expect(kinds.filter((kind) => kind === 'Warning')).toHaveLength(Object.keys(warnings).length);
  expect(kinds.filter((kind) => kind === 'Excluded')).toHaveLength(2);
  expect(kinds.indexOf('Summary')).toBe(kinds.length - 1);
  expect(records.map(({ index }) => index)).toEqual(records.map((_, index) => index));
});

it('each has a level, a time, a message, its run and its cluster', () => {
  for (const record of records) {
    expect(record).toMatchObject({
      time: report.run.finishedAt,
      level: expect.stringMatching(/^(?:info|warn|error)$/),
      message: expect.stringMatching(/^\S.+$/),
      'run.id': report.run.id,
    });
    // One that is like another says only what differs.
    const cluster = { 'cluster.context': 'kind', 'k8s.cluster.uid': report.cluster.uid };
    if (record['like'] === undefined) expect(record).toMatchObject(cluster);
  }
});

it('each has the name of its cluster, if that was given one', () => {
  const named = toRecords({ ...report, cluster: { ...report.cluster, name: 'billing' } });
  expect(new Set([...(named as Iterable<Record>)].map((record) => record['k8s.cluster.name']))).toEqual(
    new Set(['billing', undefined]),
  );
});

it('all that it says beside its entry is of one type, so that no index refuses it', () => {
  for (const { entry, ...fields } of records) {
    expect(Object.entries(fields).filter(([, value]) => typeof value === 'object')).toEqual([]);
  }
});

describe('the record of a pod', () => {
  it('says which pod it is, what became of it, and has all that the report has', () => {
    expect(records.find(({ kind }) => kind === 'Pod')).toMatchObject({
      level: 'info',
      message: 'demo/pod-0: pod Succeeded, Job Complete: sidecar stopped, exit code 0',
      'k8s.namespace.name': 'demo',
      'k8s.pod.name': 'pod-0',
      'k8s.pod.uid': 'uid-0',
      'k8s.node.name': 'node1',
      'k8s.job.name': 'work',
      outcome: 'Ended',
      entry: pod,
    });
  });

  // biome-ignore format: one row a line
  it.each([
    [podOutcomes.NotAttempted, 'demo/pod-0: pod is stuck on sidecar (not attempted: the sweep was interrupted)'],
    [podOutcomes.Stuck, 'demo/pod-0: pod still stuck: sidecar stopped, exit code 0'],
  ])('tells in one line what became of it: %j', (outcome, message) => {
    expect(podRecord({ outcome })?.message).toBe(message);
  });

  it.each(Object.values(podOutcomes))('says the outcome in words that are not objects: $kind', (outcome) => {
    const record = podRecord({ outcome });
    expect(record?.['outcome']).toBe(outcome.kind);
    expect(['string', 'undefined']).toContain(typeof record?.['reason']);
  });

  it.each([
    ['info', {}],
    ['warn', { outcome: podOutcomes.Blocked }],
    ['error', { harm: { kind: 'JobFailed', permitted: false } }],
    ['info', { harm: { kind: 'JobFailed', permitted: true } }],
  ] as const)('is of level %s with %j', (level, more) => {
    expect(podRecord(more)?.level).toBe(level);
  });
});

describe('the Summary', () => {
  it('is the report without what came before it', () => {
    expect(records.at(-1)).toMatchObject({
      message: expect.stringMatching(
        /^2 pods ended, all Complete\. .* 2 pods listed \(not all could be\), 5 stuck\. It took 4s\.$/,
      ),
      'process.exit.code': 6,
      'service.version': '1.2.3',
      'run.durationMs': 4_000,
      entry: { kind: 'SweepReport', totals: report.totals, pods: [], warnings: [], excluded: [] },
    });
  });

  it.each([
    ['info', { unread: [], neverStarted: [], notStartedAgain: [], warnings: [] }],
    ['warn', { unread: [], warnings: [] }],
    ['warn', { unread: [], warnings: [warnings.Braked] }],
    ['error', { warnings: [] }],
  ])('is of level %s with %j', (level, more) => {
    expect(([...toRecords({ ...report, ...more })] as Record[]).at(-1)?.level).toBe(level);
  });
});
