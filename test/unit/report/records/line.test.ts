import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostBytes, toLine } from '../../../../src/report/json.ts';
import { readReports } from '../../../../src/report/records/read.ts';
import { toRecords } from '../../../../src/report/records/write.ts';
import type { AttemptReport, PodReport, SweepReport } from '../../../../src/report/schema.ts';
import { type SidecarReport, sidecarsOf } from '../../../../src/report/sweep/planned.ts';
import { fullReport } from '../../../builders/report.ts';

const report = fullReport(1);
const [pod] = report.pods as readonly [PodReport];
const [sidecar] = sidecarsOf(pod) as readonly [SidecarReport];
const [attempt] = sidecar.attempts as readonly [AttemptReport];

function attemptOf(more: Partial<AttemptReport>): AttemptReport {
  return { ...attempt, ...more };
}

function withSidecars(...sidecars: readonly Partial<SidecarReport>[]): PodReport {
  return { ...pod, containers: sidecars.map((more) => ({ ...sidecar, ...more })) };
}

function linesOf(one: SweepReport): readonly string[] {
  return [...toRecords(one)].map(toLine);
}

it('a line is whole if it has exactly 16 KiB with its line feed, in bytes', () => {
  const record = { message: 'é'.repeat(8_000), 'run.id': '' };
  const room = mostBytes - Buffer.byteLength(toLine(record));
  const exact = { ...record, 'run.id': 'x'.repeat(room) };
  expect(Buffer.byteLength(toLine(exact))).toBe(mostBytes);
  expect(JSON.parse(toLine(exact))).toEqual(exact);
  const longer = toLine({ ...exact, more: 1 });
  expect(Buffer.byteLength(longer)).toBeLessThan(mostBytes);
  expect(JSON.parse(longer).leftOut).toBe(true);
});

describe('a record that is too long', () => {
  it('keeps the beginning of its lists and texts, with no character cut in half', async () => {
    const advice = '👋'.repeat(5_000);
    const many = withSidecars(...Array.from({ length: 256 }, (_, n) => ({ name: `sidecar-${n}`, advice })));
    const lines = linesOf({ ...report, pods: [many] });
    expect(lines.filter((line) => Buffer.byteLength(line) > mostBytes)).toEqual([]);
    const cut = lines.map((line) => JSON.parse(line)).filter(({ leftOut }) => leftOut === true);
    expect(cut.map(({ kind }) => kind)).toEqual(['Pod', 'Summary']);
    const { reports } = await readReports([{ name: 'a.log', lines: Readable.from(lines) }]);
    const [read] = reports.flatMap(({ pods }) => pods);
    const kept = sidecarsOf(read as PodReport);
    expect(kept.map(({ name }) => name)).toEqual(Array.from(kept, (_, n) => `sidecar-${n}`));
    expect(kept.length).toBeGreaterThan(3);
    for (const one of kept) expect(one.advice).toMatch(/^(?:👋){63}…$/u);
  });

  it('is read again with its names, whatever is long, also what takes six bytes for each character', async () => {
    const longest = 'n'.repeat(253);
    const names = {
      namespace: 'n'.repeat(63),
      name: longest,
      uid: pod.uid,
      owner: { kind: 'Job', name: longest },
    };
    const text = fc
      .oneof(fc.constantFrom('a', '\u202e', '\0', '👋', 'é', '"'))
      .chain((character) => fc.nat(4_000).map((length) => character.repeat(length)));
    const list = fc.array(text, { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(text, list, list, fc.nat(20), async (message, lines, namespaces, times) => {
        const attempts = Array.from({ length: times }, () =>
          attemptOf({ result: { kind: 'Failed', message }, log: { lines }, command: namespaces }),
        );
        const long: SweepReport = {
          ...report,
          run: { ...report.run, id: Array(20).fill(report.run.id).join() },
          scope: { ...report.scope, namespaces: Array(times).fill(message.slice(0, 253)) },
          unread: [{ namespace: message, problem: 'Forbidden', message }],
          warnings: [
            { kind: 'JobsUnreadable', namespaces: Array(times).fill(message.slice(0, 63)), message },
          ],
          pods: [{ ...withSidecars({ image: message, attempts }, { attempts, advice: message }), ...names }],
        };
        const written = linesOf(long);
        expect(written.filter((line) => Buffer.byteLength(line) > mostBytes)).toEqual([]);
        const read = await readReports([{ name: 'a.log', lines: Readable.from(written) }]);
        expect(read).toMatchObject({ truncated: 0, lost: 0, unfinished: 0 });
        expect(read.reports[0]).toMatchObject({ run: { id: long.run.id }, pods: [names] });
        expect(read.reports[0]?.totals).toEqual(report.totals);
      }),
      { numRuns: 10 },
    );
  });
});
