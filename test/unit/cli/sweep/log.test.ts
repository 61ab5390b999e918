import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { GivenFlags } from '../../../../src/cli/flags.ts';
import { createLog } from '../../../../src/cli/sweep/log.ts';
import type { SweepEvent } from '../../../../src/plan/sweep-event.ts';
import { attempt, candidate, step } from '../../../builders/plan.ts';
import { podView } from '../../../builders/pod-view.ts';
import { policy } from '../../../builders/policy.ts';
import { endOf, finished, listed, planMade, reportOf, started } from '../../../builders/report.ts';

type LogLevel = NonNullable<GivenFlags['logLevel']>;

const stuck = candidate();

/** A sweep with a log line at every level. */
const events: readonly SweepEvent[] = [
  started(),
  ...listed(stuck),
  planMade(stuck),
  { kind: 'Warned', warning: { kind: 'ListInconsistent' } },
  { kind: 'Acting', pod: stuck.pod.ref, containers: ['sidecar'], does: 'signal TERM' },
  { kind: 'Stopping', reason: 'Signal' },
  { kind: 'ReadFailed', namespace: 'jobs', problem: { kind: 'Forbidden', message: 'pods is forbidden' } },
  endOf(stuck),
  finished,
];

async function logOf(
  heard: readonly SweepEvent[],
  { plain = false, level = 'info' }: { readonly plain?: boolean; readonly level?: LogLevel },
): Promise<readonly string[]> {
  const stream = new PassThrough();
  const log = createLog({ stream, plain, level, runId: '0d4e5cf0-3a5e-4b0e-9c53-4f6b6dcb8a37' });
  for (const event of heard) log.hear(event);
  await log.finish(reportOf(started(), finished), 0);
  stream.end();
  return (await text(stream)).split('\n').filter((line) => line !== '');
}

describe('the JSON log', () => {
  it('keeps the fields of a line whose message has what winston takes for a format', async () => {
    const does = 'run sh -c date +%s > /tmp/done';
    const acting = { kind: 'Acting', pod: stuck.pod.ref, containers: ['sidecar'], does } as const;
    const [line = ''] = await logOf([acting], {});
    expect(JSON.parse(line)).toMatchObject({
      message: `demo/work-x2k9p: sidecar: ${does}`,
      'run.id': '0d4e5cf0-3a5e-4b0e-9c53-4f6b6dcb8a37',
      event: 'Acting',
      'k8s.pod.name': 'work-x2k9p',
      does,
    });
  });

  it('says how many of the listed pods are at work', async () => {
    const { ref } = stuck.pod;
    const page = { kind: 'PageListed', pods: 3, atWork: [ref, ref], malformed: [], otherShards: 0 } as const;
    const [line] = await logOf([page], { plain: true, level: 'debug' });
    expect(line).toContain('listed 3 pods, 2 of them at work');
  });

  it('is one JSON object per line, each with the ID of its run', async () => {
    const lines = (await logOf(events, {})).map((line) => JSON.parse(line));
    expect(lines.map(({ event }) => event)).toEqual(['Acting', 'Stopping', 'ReadFailed', 'SweepFinished']);
    expect(lines[0]).toMatchObject({
      message: 'demo/work-x2k9p: sidecar: signal TERM',
      'k8s.pod.name': 'work-x2k9p',
      'k8s.container.name': 'sidecar',
      does: 'signal TERM',
    });
    expect(lines.at(-1).message).toMatch(/ It took 4s\.$/);
    expect(new Set(lines.map((line) => line['run.id']))).toEqual(
      new Set(['0d4e5cf0-3a5e-4b0e-9c53-4f6b6dcb8a37']),
    );
  });

  it('has a time, a level and a message in each line, and no field of two types', async () => {
    const lines = (await logOf(events, { level: 'debug' })).map((line) => JSON.parse(line));
    for (const { time, level, message, totals: _, ...fields } of lines) {
      expect({ time, level, message }).toEqual({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: expect.any(String),
        message: expect.any(String),
      });
      const objects = Object.values(fields).filter((value) => typeof value === 'object');
      expect(objects.filter((value) => !Array.isArray(value))).toEqual([]);
    }
  });

  it('has no line that a container runtime would split', async () => {
    const namespaces = Array.from({ length: 3_000 }, (_, number) => `namespace-${number}`);
    const warning = { kind: 'JobsUnreadable', namespaces, message: 'no' } as const;
    const wide = { ...started(), policy: policy({ scope: { namespaces, labelSelector: undefined } }) };
    const lines = await logOf([wide, { kind: 'Warned', warning }], { level: 'debug' });
    expect(lines.filter((line) => Buffer.byteLength(line) >= 16 * 1024)).toEqual([]);
    const expected = [true, true, undefined];
    expect(lines.map((line) => JSON.parse(line).leftOut)).toEqual(expected);
  });

  it.each<readonly [level: LogLevel, levels: readonly string[]]>([
    ['debug', ['debug', 'error', 'info', 'warn']],
    ['info', ['error', 'info', 'warn']],
    ['warn', ['error', 'warn']],
    ['error', ['error']],
    ['silent', []],
  ])('at %s has the levels %j', async (level, levels) => {
    const lines = (await logOf(events, { level })).map((line) => JSON.parse(line));
    expect([...new Set(lines.map((line) => line.level))].sort()).toEqual(levels);
  });
});

it('a step that was held is not called sent', async () => {
  const blocked = attempt({ kind: 'Blocked', reason: 'KnownUnclean' });
  const held: SweepEvent = { kind: 'StepSent', pod: stuck.pod.ref, container: 'sidecar', attempt: blocked };
  const [line = ''] = await logOf([held], { level: 'debug' });
  expect(JSON.parse(line)).toMatchObject({ event: 'StepBlocked', level: 'debug', reason: 'KnownUnclean' });
});

describe('text from outside cannot control the terminal', () => {
  const wild = 'a\u001b[2J\r\nb\u009b0m\u202ec';
  const pod = { namespace: wild, name: wild, uid: 'u' };
  const sent = {
    ...attempt({ kind: 'Unconfirmed', message: wild }),
    step: step(15, { command: ['echo', wild] }),
  };
  const written: readonly SweepEvent[] = [
    { kind: 'StepSent', pod, container: wild, attempt: sent },
    { kind: 'Warned', warning: { kind: 'JobsUnreadable', namespaces: ['demo'], message: wild } },
    { kind: 'PodJudged', verdict: { kind: 'Undecided', pod: podView(), problem: wild } },
  ];

  it('in plain lines, and stays within its line', async () => {
    const lines = await logOf(written, { plain: true, level: 'debug' });
    expect(lines).toHaveLength(written.length + 1);
    for (const line of lines) expect(line).toMatch(/^sidecar-sweeper: [^\p{Cc}\p{Cf}]+$/u);
    for (const line of lines.slice(0, -1)) expect(line).toContain('a [2J b 0m c');
  });

  it('in JSON, which preserves it', async () => {
    const lines = await logOf(written, { level: 'debug' });
    expect(lines).toHaveLength(written.length + 1);
    for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      'k8s.pod.name': wild,
      does: `run echo ${wild}`,
      result: 'Unconfirmed',
      message: expect.stringContaining(wild),
    });
  });
});

describe('an internal error', () => {
  const stack = 'Error: out of paper\n    at a.ts';
  const fault = { doing: 'sweeping demo/work', message: 'Error: out of paper', stack };
  const verdict = { kind: 'Undecided', pod: podView(), problem: 'internal error: out', stack } as const;
  const faults: readonly SweepEvent[] = [
    { kind: 'FaultFound', fault },
    { kind: 'PodJudged', verdict },
  ];

  it('is one line for people', async () => {
    const [line, , more] = await logOf(faults, { plain: true, level: 'warn' });
    expect(line).toBe('sidecar-sweeper: internal error while sweeping demo/work: Error: out of paper');
    expect(more).toBeUndefined();
  });

  it('has its stack at debug', async () => {
    const lines = (await logOf(faults, { level: 'debug' })).map((line) => JSON.parse(line));
    const stacks = lines.filter(({ level, message }) => level === 'debug' && message === fault.stack);
    expect(stacks.map(({ event }) => event)).toEqual(['FaultFound', 'PodJudged']);
  });
});
