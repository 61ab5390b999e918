import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeJson, toLine } from '../../../../src/report/json.ts';
import { type ReadReports, readReports, type Source } from '../../../../src/report/records/read.ts';
import { describeUnreadable } from '../../../../src/report/records/rebuild.ts';
import { toRecords } from '../../../../src/report/records/write.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { asJson } from '../../../builders/rendered.ts';
import { fullReport } from '../../../builders/report.ts';

const report = fullReport(3);
const other = fullReport(2, { id: '7c0de5f1-0000-4000-8000-000000000001', context: 'other' });
const records = linesOf(report);
const logLine = safeJson({ time: 'now', level: 'info', message: 'a { of lines', 'run.id': report.run.id });
const nothingElse = { truncated: 0, unreadable: [], lost: 0, unfinished: 0 };

function linesOf(one: SweepReport): readonly string[] {
  return [...toRecords(one)].map((record) => toLine(record).trimEnd());
}

function source(name: string, lines: readonly string[]): Source {
  return { name, lines: Readable.from(lines) };
}

async function read(...lines: readonly string[]): Promise<ReadReports> {
  return readReports([source('a.log', lines)]);
}

function indented(document: object): readonly string[] {
  return asJson(document).trimEnd().split('\n');
}

function docker(line: string): string {
  return JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-21T04:00:00.1Z' });
}

function cri(line: string): string {
  return `2026-11-21T04:00:00.123456789+01:00 stdout F ${line}`;
}

const values = records.map((line, number) => [String(1_795_233_600_000_000_000 + number), line]);

describe('a report is rebuilt from its records', () => {
  // biome-ignore format: one row a line
  it.each<[string, readonly string[]]>([
    ['as they were written', records],
    ['as Windows ends lines', records.map((line) => `${line}\r`)],
    ['as kubectl logs prints them', records.map((line) => `[pod/sweeper-1-x/sidecar-sweeper] ${line}`)],
    ['with --prefix and --timestamps', records.map((line) => `[pod/sweeper-1-x/sidecar-sweeper] 2026-11-21T04:00:00.123456789Z ${line}`)],
    ['with --timestamps', records.map((line) => `2026-11-21T04:00:00.123456789Z ${line}`)],
    ['as stern prints them', records.map((line) => `sweeper-1-x sidecar-sweeper ${line}`)],
    ['from the files of a container runtime', records.map(cri)],
    ['from the files of Docker', records.map(docker)],
    ['from Docker by way of a collector', records.map((log) => safeJson({ log, stream: 'stdout' }))],
    ['from logcli', records.map((line) => `2026-11-21T04:00:00Z {app="sweeper", stream="stdout"} ${line}`)],
    ['from logcli -o jsonl', records.map((line) => safeJson({ labels: { app: 'x' }, line, timestamp: '2026-11-21T04:00:00Z' }))],
    ['from the API of Loki', [safeJson({ data: { result: [{ stream: { app: 'x' }, values }] } })]],
    ['from the API of Loki, indented', indented({ data: { result: [{ stream: { app: 'x' }, values }] } })],
    ['from aws logs filter-log-events', indented({ events: records.map((message) => ({ timestamp: 1, message })) })],
    ['from aws logs tail', records.map((line) => `2026-11-21T04:00:00.123000+00:00 stream/1 ${line}`)],
    ['from Container Insights, which wraps twice', records.map((log) => safeJson({ message: safeJson({ log, kubernetes: { pod_name: 'x' } }) }))],
    ['from Elasticsearch', records.map((line) => safeJson({ _index: 'logs', _source: { ...JSON.parse(line), agent: {} } }))],
    ['from a collector that takes time, level and message for itself', records.map((line) => (({ time, level: severity, message: _, ...jsonPayload }) => safeJson({ timestamp: time, severity, jsonPayload }))(JSON.parse(line)))],
  ])('%s', async (_how, lines) => {
    expect(await read(...lines)).toEqual({ ...nothingElse, reports: [report] });
  });

  it('in any order, with those of other runs, twice, and among other lines', async () => {
    const noise = [logLine, 'panic: {', '', '{', '  "indented": true', '}', 'I1121 04:00:00 "SweepReport"'];
    const lines = [...records, ...linesOf(other), ...records];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), async (places) => {
        const mixed = [...lines];
        for (const [index, place] of places.entries()) {
          const [taken = ''] = mixed.splice(place % mixed.length, 1);
          mixed.splice((place * 7) % (mixed.length + 1), 0, taken, noise[index % noise.length] ?? '');
        }
        const { reports, lost, truncated } = await read(...mixed);
        expect(new Set(reports)).toEqual(new Set([report, other]));
        expect({ lost, truncated }).toEqual({ lost: 0, truncated: 0 });
      }),
      { numRuns: 20 },
    );
  });

  it('whether or not it names the pods that were left alone', async () => {
    const { excluded: _, ...quiet } = report;
    expect((await read(...linesOf(quiet))).reports).toEqual([quiet]);
    const nobody = { ...report, excluded: [] };
    expect((await read(...linesOf(nobody))).reports).toEqual([nobody]);
  });
});

describe('a whole report is found', () => {
  const pretty = indented(report);

  it.each<[string, readonly string[]]>([
    ['as -o json prints it', pretty],
    ['on one line, as from jq -c', [safeJson(report)]],
    ['twice, and counted once', [...pretty, safeJson(report)]],
    ['before a copy that lacks pods', [report, { ...report, pods: [] }].map(safeJson)],
    ['beside its own records', [...records, ...pretty]],
    ['by kubectl logs --prefix', pretty.map((line) => `[pod/x/sweeper] ${line}`)],
    ['in the files of a container runtime', pretty.map(cri)],
    ['in a string of an export', [safeJson({ message: asJson(report) })]],
  ])('%s', async (_how, lines) => {
    expect((await read(...lines)).reports).toEqual([report]);
  });

  it('with lines of the log in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(pretty.length), { maxLength: 5 }), async (places) => {
        const mixed = pretty.flatMap((line, index) => [
          ...places.filter((place) => place === index).map(() => logLine),
          line,
        ]);
        expect((await read(...mixed)).reports).toEqual([report]);
      }),
    );
  });

  it('while another pod prints its own', async () => {
    const theirs = indented(other);
    const length = Math.max(pretty.length, theirs.length);
    const mixed = Array.from({ length }, (_, index) => [
      ...pretty.slice(index, index + 1).map((line) => `[pod/a/sweeper] ${line}`),
      ...theirs.slice(index, index + 1).map((line) => `[pod/b/sweeper] ${line}`),
    ]).flat();
    expect(new Set((await read(...mixed)).reports)).toEqual(new Set([report, other]));
  });
});

describe('what is missing is counted:', () => {
  it('a line that was cut', async () => {
    const cut = records.map((line, index) => (index === 2 ? line.slice(0, -100) : line));
    const found = await read(...cut);
    expect(found).toMatchObject({ truncated: 1, lost: 1 });
    expect(found.reports).toEqual([{ ...report, undecided: [] }]);
  });

  it('a line that never came, and a run without its last line', async () => {
    expect(await read(...records.slice(1))).toMatchObject({ truncated: 0, lost: 1 });
    expect(await read(...records.slice(0, -1))).toEqual({ ...nothingElse, reports: [], unfinished: 1 });
  });

  it('a document without its end', async () => {
    const lines = asJson(report).split('\n').slice(0, -2);
    expect(await read(...lines)).toMatchObject({ reports: [], truncated: 1 });
    const both = await read(...lines, ...indented(other));
    expect(both).toEqual({ ...nothingElse, reports: [other], truncated: 1 });
  });
});

describe('a report that cannot be read', () => {
  const newer = { ...report, apiVersion: 'sidecar-sweeper.dev/v2' };
  const { totals, ...damaged } = report;

  it('is counted for each file', async () => {
    const found = await readReports([
      source('whole.json', [safeJson(report)]),
      source('v2.json', indented(newer)),
      source('many.log', [safeJson(newer), safeJson(damaged), safeJson(damaged)]),
    ]);
    expect(found).toEqual({
      ...nothingElse,
      reports: [report],
      unreadable: [
        { file: 'v2.json', reports: 1 },
        { file: 'many.log', reports: 3 },
      ],
    });
  });

  it('may be in the last record of a run', async () => {
    const last = JSON.parse(records.at(-1) ?? '');
    const line = safeJson({ ...last, entry: { ...last.entry, apiVersion: newer.apiVersion } });
    const unreadable = [{ file: 'a.log', reports: 1 }];
    expect(await read(line)).toEqual({ ...nothingElse, reports: [], unreadable });
  });
});

describe('what is something else is never an error:', () => {
  it.each([
    ['a line of the log', logLine],
    ['a line that only mentions a report', 'no "SweepReport" here'],
    ['another document', '{"kind":"SweepReports"}'],
    ['a record of a kind that is not known', '{"run.id":"x","kind":"Dream","index":0,"entry":{}}'],
    ['a record without what it should have', '{"run.id":"x","kind":"Pod","index":0,"entry":{}}'],
    ['JSON that is nested too deeply', `${'['.repeat(50_000)}"run.id"${']'.repeat(50_000)}`],
    ['an empty line', ''],
  ])('%s', async (_what, line) => {
    expect(await read(line)).toEqual({ ...nothingElse, reports: [] });
  });

  it('whatever the lines are', async () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...records, '{', '}', '  "run.id": 1', '[pod/x/y] ', '"SweepReport"'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(piece).map((pieces) => pieces.join(''))), async (lines) => {
        await expect(read(...lines)).resolves.toMatchObject({});
      }),
      { numRuns: 100 },
    );
  });
});

it.each<readonly [said: string, files: readonly string[], reports: number]>([
  ['cannot read 2 reports in a.log: damaged, or written by another version', ['a.log'], 2],
  ['cannot read 5 reports in a, b, c and 2 more: damaged, or written by another version', [...'abcde'], 1],
])('%s', (said, files, reports) => {
  expect(describeUnreadable(files.map((file) => ({ file, reports })))).toEqual([said]);
});
