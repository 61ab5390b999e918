import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { createLog } from '../../src/cli/sweep/log.ts';
import { toRecords } from '../../src/report/records/write.ts';
import { podOutcomes } from '../builders/kinds.ts';
import { attempt, candidate } from '../builders/plan.ts';
import { asLines } from '../builders/rendered.ts';
import {
  endOf,
  finished,
  fullReport,
  listed,
  planMade,
  podRef,
  reportOf,
  started,
  withSidecars,
} from '../builders/report.ts';
import { jsonLines } from '../kit/cli.ts';
import { describeUnless, missingPrograms } from '../kit/needs.ts';
import { temporaryFolder } from '../kit/started.ts';

const page = readFileSync(new URL('../../docs/report.md', import.meta.url), 'utf8');
const [, examples = ''] = /^### With jq\n([\s\S]*?)^## /m.exec(page) ?? [];
const commands = [...examples.matchAll(/^([^\n]+):\n\n```sh\n([\s\S]*?)\n```$/gm)].map(
  ([, what = '', command = '']) => [what, command] as const,
);

const report = fullReport(3);
const held = report.pods.map((pod, number) =>
  number === 1
    ? { ...withSidecars(pod, () => ({ advice: 'use --noop-image' })), outcome: podOutcomes.Blocked }
    : pod,
);
const folder = temporaryFolder('logs');
let log: string;

beforeAll(async () => {
  log = await logOfSweep();
  const records = asLines(toRecords({ ...report, pods: held }));
  writeFileSync(join(folder, 'sweep.log'), `I1121 klog of another program\n${log}${records}{"else":1}\n`);
});

async function logOfSweep(): Promise<string> {
  const stream = new PassThrough();
  const written = createLog({ stream, plain: false, level: 'debug', runId: report.run.id });
  const stuck = candidate();
  const problem = { kind: 'Forbidden', message: 'no' } as const;
  const events = [
    started(),
    ...listed(stuck),
    planMade(stuck),
    { kind: 'StepSent', pod: podRef(1), container: 'sidecar', attempt: attempt() } as const,
    { kind: 'Warned', warning: { kind: 'ListInconsistent' } } as const,
    { kind: 'ReadFailed', namespace: 'jobs', problem } as const,
    endOf(stuck),
  ];
  for (const event of events) written.hear(event);
  await written.finish(reportOf(started(), finished), 0);
  stream.end();
  return text(stream);
}

describeUnless(missingPrograms('jq'), 'each command for jq on the page answers:', () => {
  const answers: Readonly<Record<string, RegExp>> = {
    'What became of every pod': /^demo\tpod-0\tEnded\tdemo\/pod-0: pod Succeeded.*\n.*\tBlocked\t.*\n.*\n$/,
    'The pods that are left, and what to do about each sidecar (of pods that are alike, the first)':
      /^pod-1 \S+: use --noop-image\n/,
    'Everything about one pod, including the log':
      /^\S+Z debug demo\/pod-1: sidecar: .*\n\S+ warn demo\/pod-1: pod blocked.*\n$/,
  };

  it.each(commands)('%s', (what, command) => {
    const forThis = command.replace('stuck-1', 'pod-1');
    const answer = execFileSync('/bin/sh', ['-c', forThis], { cwd: folder, encoding: 'utf8' });
    expect(answer).toMatch(answers[what] ?? /^never$/);
  });

  it('and there is an answer for each', () => {
    expect(commands.map(([what]) => what)).toEqual(Object.keys(answers));
  });
});

it('the page has every field of records and log lines', () => {
  const [, table = ''] = /^## The log\n([\s\S]*?)^### /m.exec(page) ?? [];
  const documented = [...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const lines = [...jsonLines(log), ...toRecords(report)];
  const fields = new Set(lines.flatMap((line) => Object.keys(line)));
  const missing = [...fields].filter((name) => !documented.includes(name) && !name.startsWith('scope.'));
  expect(missing).toEqual([]);
});
