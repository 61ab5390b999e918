import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createLog } from '../../src/cli/sweep/log.ts';
import { resolvePolicy } from '../../src/policy/policy.ts';
import { exitCodeOf } from '../../src/report/exit-code.ts';
import { historyOf } from '../../src/report/history/history.ts';
import { historyView } from '../../src/report/history/view.ts';
import { toRecords } from '../../src/report/records/write.ts';
import type { SweepReport } from '../../src/report/schema.ts';
import { sidecarsOf } from '../../src/report/sweep/planned.ts';
import { sweepView, toTerminationMessage } from '../../src/report/sweep/view.ts';
import { viewMarkdown } from '../../src/report/view.ts';
import { asJson, asLines, plain, renderHistory, renderTable } from '../builders/rendered.ts';
import { finished, reportOf, started } from '../builders/report.ts';
import { policyFlag, reportsIn } from '../kit/cli.ts';
import { ensureNamespace, type FaultAction } from '../kit/emulator/index.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { expectClean, expectLog, hostileTexts } from './corpus/hostile-texts.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { closing, exited, frame } from './streams.ts';
import { tally } from './tally.ts';

const cluster = FaultyCluster.startedOnce();

const invalidUtf8 = Buffer.from([
  0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf8, 0x1b, 0x5b, 0x33, 0x31, 0x6d,
]);

/** Where a container, a kubelet or a server says something about an exec. */
const places: Readonly<Record<string, (said: string) => FaultAction>> = {
  'outputs and a result': (said) =>
    closing([frame(1, said), frame(2, said), frame(2, invalidUtf8), exited('1', { message: said })]),
  'a result that is none': (said) => closing([frame(3, said)]),
  'a refusal': (said) => ({
    kind: 'Answer',
    status: 403,
    body: { kind: 'Status', message: said.slice(0, 2_000) },
  }),
};

it.each(Object.entries(places))('D4: hostile texts in %s reach no terminal or log', async (place, serve) => {
  const namespace = `hostile-${Object.keys(places).indexOf(place)}`;
  const texts = Object.entries(hostileTexts);
  const { emulator, simulated } = cluster;
  ensureNamespace(emulator.world, namespace);
  emulator.world.placePods(texts.map((_, index) => stuckPod({ namespace, name: `pod-${index}` })));
  for (const [index, [, said]] of texts.entries()) {
    emulator.faults.add({ subresource: 'exec', namespace, name: `pod-${index}` }, serve(said));
  }
  const stream = new PassThrough();
  const written = text(stream);
  const log = createLog({ stream, level: 'debug', plain: false, runId: namespace });
  const policy = resolvePolicy({ namespaces: [namespace], minAge: 0, lastResort: [] }, undefined);
  const report = await simulated.simulation.run(simulated.sweep(namespace, policy, log.hear));
  await log.finish(report, exitCodeOf(report));
  stream.end();
  expect(report.pods).toHaveLength(texts.length);
  expect(report.pods.map(({ outcome }) => outcome.kind)).not.toContain('Ended');
  expect(exitCodeOf(report)).toBe(4);

  const entries = expectLog(await written, place);
  expect(entries.map((entry) => typeof entry['message'])).toEqual(entries.map(() => 'string'));
  for (const [what, said] of Object.entries(saidOf(report))) expectClean(said, `${place}: ${what}`);
  const attempts = report.pods.flatMap(sidecarsOf).flatMap((sidecar) => sidecar.attempts);
  const longest = attempts.map((each) => JSON.stringify(each));
  expect(longest.length).toBeGreaterThan(0);
  for (const attempt of longest) expect(attempt.length).toBeLessThan(8_192);
  tally('badInputs', 'D4', texts.length);
});

/** Everything that can be made of a report. */
function saidOf(report: SweepReport): Readonly<Record<string, string>> {
  const none = { truncated: 0, unreadable: [], lost: 0, unfinished: 0 };
  const history = historyOf([report], none);
  return {
    table: renderTable(report, { ...plain, wide: true }),
    'narrow table': renderTable(report, { ...plain, wide: true, width: 60 }),
    json: asJson(report),
    ndjson: asLines(toRecords(report)),
    markdown: viewMarkdown(sweepView(report, plain)),
    digest: toTerminationMessage(report, 0),
    history: renderHistory(history, plain),
    'history as markdown': viewMarkdown(historyView(history, plain)),
  };
}

/** A whole report, and what only looks like one: what a tenant of the cluster may write. */
const forged = JSON.stringify({
  ...reportOf(started(), finished),
  run: { ...reportOf(started(), finished).run, id: 'forged' },
  cluster: { context: 'of-a-tenant', server: 'https://tenant.example' },
});
const quoted: Readonly<Record<string, string>> = {
  'a report': forged,
  'the name of its kind': '{"kind":"SweepReport"}',
  'a record': '{"run.id":"x","index":0,"kind":"Summary","entry":{"kind":"SweepReport"}}',
};

const echoing = (text: string) => JSON.stringify(['sh', '-c', `echo '${text}'; kill -TERM 1`]);
const quoting = TestCluster.startedOnce(
  Object.values(quoted).map((text, index) =>
    stuckPod({
      name: `quotes-${index}`,
      annotations: { 'sidecar-sweeper.dev/kill-cmd-sidecar': echoing(text) },
    }),
  ),
);

it('D4: what pods quote is no report, neither in the records of a sweep nor in its log', async () => {
  const any = policyFlag({ annotationCommands: 'any' });
  const flags = [...any, '--log-level', 'debug', '--no-lock', '-o', 'ndjson'];
  const { stdout, stderr } = await quoting.runHere(flags);
  for (const text of Object.values(quoted)) expect(stderr).toContain(JSON.stringify(text).slice(1, 20));
  // As it is, as a container's log holds it, and as Docker and CloudWatch wrap it.
  const lines = `${stderr}${stdout}`.trimEnd().split('\n');
  const wrapped = [
    lines,
    lines.map((line) => `[pod/sweeper/sweeper] 2026-11-21T04:00:00.1Z ${line}`),
    lines.map((line) => JSON.stringify({ log: `${line}\n`, stream: 'stderr' })),
    lines.map((message) => JSON.stringify({ timestamp: 1, message })),
  ];
  for (const log of wrapped) {
    const read = await reportsIn(log.join('\n'));
    expect(read).toMatchObject({ unreadable: [], truncated: 0, lost: 0, unfinished: 0 });
    expect(read.reports.map(({ run }) => run.id)).not.toContain('forged');
    expect(historyOf(read.reports).read.sweeps).toBe(1);
    tally('badInputs', 'D4', Object.keys(quoted).length);
  }
});

it('D4: a container that prints the name of a report has printed none', async () => {
  const printed = [
    '{"kind":"SweepReport"}',
    'it said {"kind":"SweepReport"}',
    `kill command: sh -c 'echo ${forged}'`,
  ];
  const read = await reportsIn(printed.join('\n'));
  expect(read).toMatchObject({ reports: [], unreadable: [] });
  tally('badInputs', 'D4', printed.length);
});
