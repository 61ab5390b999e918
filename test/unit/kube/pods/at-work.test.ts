import { describe, expect, it } from 'vitest';
import { isAtWork } from '../../../../src/kube/pods/at-work.ts';

const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };
const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
const ended = { terminated: { exitCode: 0 } };

function pod(states: Readonly<Record<string, object>>, names = Object.keys(states)) {
  return {
    spec: { containers: names.map((name) => ({ name })) },
    status: { containerStatuses: Object.entries(states).map(([name, state]) => ({ name, state })) },
  };
}

describe('a pod is at work', () => {
  it.each([
    ['while all of its containers run', pod({ work: running, proxy: running })],
    ['while they wait', pod({ work: waiting, proxy: running })],
    ['if a state says nothing, which Kubernetes takes for waiting', pod({ work: {} })],
  ])('%s', (_, item) => expect(isAtWork(item)).toBe(true));
});

describe('a pod is for the judge', () => {
  it.each([
    ['once a container has ended', pod({ work: ended, proxy: running })],
    ['if a container has no status', pod({ work: running }, ['work', 'proxy'])],
    ['if a status names another container', pod({ work: running, other: running }, ['work', 'proxy'])],
    ['if two containers share a name', pod({ work: running, proxy: running }, ['work', 'work'])],
    ['if a container has no name', { ...pod({ work: running }), spec: { containers: [{}] } }],
    ['if it has no containers', pod({})],
    ['without a status', { spec: { containers: [{ name: 'work' }] } }],
    [
      'if it has not begun',
      { ...pod({ work: waiting }), status: { ...pod({ work: waiting }).status, phase: 'Pending' } },
    ],
    ['whatever else it is', 'a text'],
    ['if it cannot be read', undefined],
  ])('%s', (_, item) => expect(isAtWork(item)).toBe(false));
});
