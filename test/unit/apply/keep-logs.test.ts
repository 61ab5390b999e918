import { expect, it } from 'vitest';
import { keepLogs } from '../../../src/apply/keep-logs.ts';
import type { LogReading } from '../../../src/model/ports.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { step } from '../../builders/plan.ts';
import { policy } from '../../builders/policy.ts';
import { podRef } from '../../builders/report.ts';
import { swap } from './stage.ts';

const watched = ['a', 'b'].map((container) => ({ container, containerId: `containerd://${container}-0` }));
const read: LogReading = { kind: 'Read', lines: ['one', 'two'] };

/** What is kept before a step, and which logs are read. */
async function kept(keepLines: number, answers: Readonly<Record<string, LogReading>> = {}, sent = swap) {
  const asked: string[] = [];
  const cluster = clusterWith({
    readLog: async (_ref, container, lines) => {
      asked.push(`${container} ${lines}`);
      return answers[container] ?? read;
    },
  });
  const { signal: cut } = new AbortController();
  const logs = await keepLogs(podRef(1), watched, sent, {
    policy: policy({ keepLogs: keepLines }),
    cluster,
    cut,
  });
  return { logs: Object.fromEntries(logs), asked };
}

it('keeps the last lines of each container before its image is swapped', async () => {
  const { logs, asked } = await kept(20);
  expect(asked).toEqual(['a 20', 'b 20']);
  expect(logs).toEqual({ a: { lines: ['one', 'two'] }, b: { lines: ['one', 'two'] } });
});

it('says of a log that it cannot be read', async () => {
  const problem = { kind: 'Forbidden', message: 'pods/log is forbidden' } as const;
  const { logs } = await kept(20, { a: { kind: 'Unreadable', problem } });
  expect(logs).toEqual({ a: { lines: [], problem: problem.message }, b: { lines: ['one', 'two'] } });
});

it('reads nothing unless it is asked to, nor before a step that keeps the logs', async () => {
  expect(await kept(0)).toEqual({ logs: {}, asked: [] });
  expect(await kept(20, {}, step())).toEqual({ logs: {}, asked: [] });
});
