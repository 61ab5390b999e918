import { expect, it } from 'vitest';
import { historyOf } from '../../src/report/history/history.ts';
import { finished, reportOf, started } from '../builders/report.ts';
import { policyFlag, reportsIn } from '../kit/cli.ts';
import { runHere } from '../kit/run-here.ts';
import { startedOnce } from '../kit/started.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { tally } from './tally.ts';

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

const cluster = startedOnce(() =>
  TestCluster.start(
    Object.values(quoted).map((text, index) =>
      stuckPod({
        name: `quotes-${index}`,
        annotations: {
          'sidecar-sweeper.dev/kill-cmd-sidecar': JSON.stringify([
            'sh',
            '-c',
            `echo '${text}'; kill -TERM 1`,
          ]),
        },
      }),
    ),
  ),
);

it('D4: what pods quote is no report, neither in the records of a sweep nor in its log', async () => {
  const kubeconfig = await cluster.kubeconfig();
  const any = policyFlag({ annotationCommands: 'any' });
  const flags = [...any, '--log-level', 'debug', '--no-lock', '-o', 'ndjson'];
  const { stdout, stderr } = await runHere(['--kubeconfig', kubeconfig, ...flags], {});
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
