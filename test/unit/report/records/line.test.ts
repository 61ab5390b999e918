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

/** The pod as it is read back from its line, and what the line says that it left out. */
async function through(one: PodReport): Promise<{ readonly pod: unknown; readonly leftOut: unknown }> {
  const lines = linesOf({ ...report, pods: [one] });
  expect(lines.filter((line) => Buffer.byteLength(line) > mostBytes)).toEqual([]);
  const line = lines.find((each) => each.includes('"kind":"Pod"')) ?? '';
  const read = await readReports([{ name: 'a.log', lines: Readable.from(lines) }]);
  return { pod: read.reports[0]?.pods[0], leftOut: JSON.parse(line).leftOut };
}

it('a line is whole if it has exactly 16 KiB with its line feed, in bytes', () => {
  const record = { message: 'é'.repeat(8_000), 'run.id': '' };
  const room = mostBytes - Buffer.byteLength(toLine(record));
  const exact = { ...record, 'run.id': 'x'.repeat(room) };
  expect(Buffer.byteLength(toLine(exact))).toBe(mostBytes);
  expect(JSON.parse(toLine(exact))).toEqual(exact);
  const longer = toLine({ ...exact, more: 1 });
  expect(Buffer.byteLength(longer)).toBeLessThan(mostBytes);
  expect(JSON.parse(longer).leftOut).toEqual(['message']);
});

describe('what is too long is left out and named:', () => {
  it('first the logs of sidecars, and nothing else if that is enough', async () => {
    const attempts = [attemptOf({ log: { lines: Array(20).fill('x'.repeat(900)) } })];
    const long = withSidecars({ attempts });
    expect(await through(long)).toEqual({
      pod: withSidecars({ attempts: [attemptOf({ log: { lines: [] } })] }),
      leftOut: ['entry.containers[].attempts[].log.lines'],
    });
  });

  it('then long texts, to a thousand bytes, with no character cut in half', async () => {
    const found = await through(withSidecars({ advice: '👋'.repeat(5_000) }));
    expect(found.leftOut).toEqual(['entry.containers[].advice']);
    const [{ advice = '' } = sidecar] = sidecarsOf(found.pod as PodReport);
    expect(advice).toMatch(/^(?:👋)+…$/u);
    expect(Buffer.byteLength(advice)).toBeGreaterThan(990);
  });

  it('then steps, and last the containers themselves', async () => {
    const many = withSidecars(...Array.from({ length: 256 }, (_, number) => ({ name: `sidecar-${number}` })));
    const found = await through(many);
    expect(found.leftOut).toContain('entry.containers[].steps');
    expect(found.leftOut).toContain('entry.containers');
    const { containers, outcome } = found.pod as PodReport;
    expect(containers.length).toBeGreaterThan(10);
    expect(outcome).toEqual(pod.outcome);
    expect(containers.every((one) => one.role === 'Sidecar' && one.outcome.kind === 'Stopped')).toBe(true);
  });

  it('whatever is long, also what controls a terminal and takes six bytes for each character', async () => {
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
          scope: { ...report.scope, namespaces: Array(times).fill(message.slice(0, 253)) },
          unread: [{ namespace: message, problem: 'Forbidden', message }],
          warnings: [
            { kind: 'JobsUnreadable', namespaces: Array(times).fill(message.slice(0, 63)), message },
          ],
          pods: [withSidecars({ image: message, attempts }, { attempts, advice: message })],
        };
        const written = linesOf(long);
        expect(written.filter((line) => Buffer.byteLength(line) > mostBytes)).toEqual([]);
        const read = await readReports([{ name: 'a.log', lines: Readable.from(written) }]);
        expect(read).toMatchObject({ truncated: 0, lost: 0, unfinished: 0 });
        expect(read.reports[0]?.totals).toEqual(report.totals);
      }),
      { numRuns: 10 },
    );
  });
});
