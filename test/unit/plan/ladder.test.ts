import { describe, expect, it } from 'vitest';
import { commandSteps, methodOf, timeToShow } from '../../../src/plan/ladder.ts';
import { stepSpec } from '../../../src/policy/steps.ts';
import type { PodView } from '../../../src/vocabulary.ts';
import { ladder, source } from '../../builders/planned.ts';

describe('a step that is written becomes a step of the container', () => {
  it.each<readonly [title: string, written: unknown, steps: readonly object[]]>([
    [
      'http, with everything that is left out filled in',
      { http: { port: 15_020, path: '/quitquitquit' } },
      [
        {
          method: 'Http',
          request: { method: 'POST', port: 15_020, path: '/quitquitquit', headers: {}, statuses: [] },
          exitCode: undefined,
        },
      ],
    ],
    [
      'http, with everything that is written',
      {
        http: { method: 'PUT', port: 1, path: '/', headers: { 'x-token': 'a' }, statuses: [302] },
        exitCode: 0,
      },
      [
        {
          method: 'Http',
          request: { method: 'PUT', port: 1, path: '/', headers: { 'x-token': 'a' }, statuses: [302] },
          exitCode: 0,
        },
      ],
    ],
    [
      'a command',
      { command: ['pilot-agent', 'request', 'POST', 'quitquitquit'], exitCode: 0 },
      [{ method: 'Command', command: ['pilot-agent', 'request', 'POST', 'quitquitquit'], exitCode: 0 }],
    ],
    [
      'a signal, and those that stand in for it',
      { signal: ['INT', 'TERM'], exitCode: 143 },
      [{ method: 'Signal', signals: ['INT', 'TERM'], exitCode: 143 }],
    ],
    [
      'a tombstone',
      { tombstone: { path: '/graveyard/work', content: 'Died' } },
      [{ method: 'Tombstone', path: '/graveyard/work', content: 'Died', exitCode: undefined }],
    ],
    [
      'an empty tombstone',
      { tombstone: { path: '/exit' } },
      [{ method: 'Tombstone', path: '/exit', content: '', exitCode: undefined }],
    ],
  ])('%s', (_title, written, steps) => {
    const expected = steps.map((step) => ({ ...step, source, grace: 30_000 }));
    expect(ladder([written])).toEqual({ container: expected, pod: [], unfit: [] });
  });
});

describe('a step that is written becomes a step of the pod', () => {
  it.each<readonly [title: string, written: unknown, step: object]>([
    [
      'an image swap, after which the container ends with 0 whatever is written',
      { imageSwap: { image: 'noop:1' }, exitCode: 137 },
      { method: 'ImageSwap', image: 'noop:1', exitCode: 0 },
    ],
    [
      'an ephemeral container, with a command of its own',
      { ephemeralContainer: { image: 'kill:1', command: ['/kill', '1'] } },
      { method: 'EphemeralContainer', image: 'kill:1', command: ['/kill', '1'], exitCode: undefined },
    ],
    [
      'an ephemeral container that sends TERM to PID 1 unless something else is written',
      { ephemeralContainer: { image: 'busybox:1' }, exitCode: 0 },
      {
        method: 'EphemeralContainer',
        image: 'busybox:1',
        command: ['/bin/sh', '-c', 'kill -15 1'],
        exitCode: 0,
      },
    ],
    ['a deadline', { deadline: true }, { method: 'Deadline', exitCode: 137 }],
    ['an eviction', { evict: true }, { method: 'Evict', exitCode: 137 }],
    ['a deletion', { delete: true }, { method: 'Delete', exitCode: 137 }],
  ])('%s', (_title, written, step) => {
    expect(ladder([written])).toEqual({
      container: [],
      pod: [{ ...step, source, grace: expect.any(Number) }],
      unfit: [],
    });
  });
});

it('steps keep their order, those of the container and those of the pod apart', () => {
  const { container: steps, pod } = ladder([
    { evict: true },
    { signal: ['TERM'] },
    { imageSwap: { image: 'noop:1' } },
    { http: { port: 1, path: '/' } },
  ]);
  expect(steps.map(({ method }) => method)).toEqual(['Signal', 'Http']);
  expect(pod.map(({ method }) => method)).toEqual(['Evict', 'ImageSwap']);
});

describe('the time that a step is given', () => {
  const graceOf = (written: object, pod: Partial<PodView> = {}) => {
    const { container: steps, pod: podSteps } = ladder([written], pod);
    return [...steps, ...podSteps].map(({ grace }) => grace);
  };

  it('is the pod’s own grace period', () => {
    expect(graceOf({ signal: ['TERM'] }, { grace: 47_000 })).toEqual([47_000]);
  });

  it('or what is written', () => {
    expect(graceOf({ signal: ['TERM'], grace: '2m' }, { grace: 47_000 })).toEqual([120_000]);
    expect(graceOf({ signal: ['TERM'], grace: '0' }, { grace: 47_000 })).toEqual([0]);
  });

  it.each([{ imageSwap: { image: 'noop:1' } }, { deadline: true }, { evict: true }, { delete: true }])(
    'is longer by what the kubelet needs when it does the rest: %j',
    (written) => {
      expect(graceOf(written, { grace: 47_000 })).toEqual([62_000]);
      expect(graceOf({ ...written, grace: '1s' }, { grace: 47_000 })).toEqual([16_000]);
    },
  );
});

describe('a command with %d', () => {
  it('is sent with TERM, and after the grace period with KILL', () => {
    expect(ladder([{ command: ['sh', '-c', 'kill -%d 1'] }]).container).toMatchObject([
      { method: 'Command', command: ['sh', '-c', 'kill -15 1'], grace: 30_000 },
      { method: 'Command', command: ['sh', '-c', 'kill -9 1'], grace: 5_000 },
    ]);
  });

  it('promises the written exit code for TERM alone: who is killed ends with another', () => {
    const [term, kill] = commandSteps(['kill', '-%d', '7'], source, 30_000, 0);
    expect(term?.exitCode).toBe(0);
    expect(kill?.exitCode).not.toBe(0);
  });

  it('is sent once when it has none', () => {
    expect(commandSteps(['quit', '%s'], source, 1_000, 0)).toEqual([
      { method: 'Command', command: ['quit', '%s'], source, grace: 1_000, exitCode: 0 },
    ]);
  });

  it.each([
    [0, 2_000],
    [1_000, 2_000],
    [3_000, 3_000],
    [30_000, 5_000],
    [600_000, 5_000],
  ])('KILL has, with a grace of %i ms, %i ms to show', (grace, expected) => {
    expect(timeToShow(grace)).toBe(expected);
    expect(commandSteps(['kill', '-%d', '1'], source, grace, undefined)[1]?.grace).toBe(expected);
  });
});

it('every written form is of one method', () => {
  const written: readonly (readonly [unknown, string])[] = [
    [{ http: { port: 1, path: '/' } }, 'Http'],
    [{ command: ['a'] }, 'Command'],
    [{ signal: ['TERM'] }, 'Signal'],
    [{ tombstone: { path: '/a' } }, 'Tombstone'],
    [{ imageSwap: { image: 'a' } }, 'ImageSwap'],
    [{ ephemeralContainer: { image: 'a' } }, 'EphemeralContainer'],
    [{ deadline: true }, 'Deadline'],
    [{ evict: true }, 'Evict'],
    [{ delete: true }, 'Delete'],
  ];
  expect(written.map(([one]) => methodOf(stepSpec.parse(one)))).toEqual(written.map(([, name]) => name));
  expect(stepSpec.options).toHaveLength(written.length);
});
