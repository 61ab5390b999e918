import { describe, expect, it } from 'vitest';
import { sendToPod } from '../../../src/methods/index.ts';
import { toWriteAttempt } from '../../../src/methods/write-attempt.ts';
import type { Cluster, WriteResult } from '../../../src/ports.ts';
import type { AttemptResult, PodRef, PodStep } from '../../../src/vocabulary.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { steps } from '../../builders/plan.ts';

const pod: PodRef = { namespace: 'demo', name: 'work', uid: 'uid-1' };
const { signal } = new AbortController();
const { ImageSwap, EphemeralContainer, Deadline, Evict, Delete } = steps;

/** A cluster that writes down what it is asked to write, and gives these results one after the other. */
function clusterThat(...results: readonly WriteResult[]) {
  const calls: unknown[][] = [];
  const write =
    (name: keyof Cluster) =>
    async (...call: unknown[]): Promise<WriteResult> => {
      calls.push([name, ...call]);
      return results[calls.length - 1] ?? { kind: 'Written' };
    };
  const cluster = clusterWith({
    swapImages: write('swapImages'),
    addEphemeralContainer: write('addEphemeralContainer'),
    setDeadline: write('setDeadline'),
    evict: write('evict'),
    deletePod: write('deletePod'),
  });
  return { cluster, calls };
}

describe('what is asked of the API server for two sidecars of a pod', () => {
  const container = (target: string) => ({ target, image: 'busybox:1', command: EphemeralContainer.command });
  it.each<readonly [step: PodStep, calls: readonly unknown[][]]>([
    [
      ImageSwap,
      [
        [
          'swapImages',
          pod,
          [
            { container: 'a', image: 'noop:1' },
            { container: 'b', image: 'noop:1' },
          ],
          signal,
        ],
      ],
    ],
    [
      EphemeralContainer,
      [
        ['addEphemeralContainer', pod, container('a'), signal],
        ['addEphemeralContainer', pod, container('b'), signal],
      ],
    ],
    [Deadline, [['setDeadline', pod, signal]]],
    [Evict, [['evict', pod, signal]]],
    [Delete, [['deletePod', pod, signal]]],
  ])('$method', async (step, expected) => {
    const { cluster, calls } = clusterThat();
    expect(await sendToPod(cluster, pod, ['a', 'b'], step, signal)).toEqual({ kind: 'Accepted' });
    expect(calls).toEqual(expected);
  });
});

const written: readonly (readonly [WriteResult, AttemptResult])[] = [
  [{ kind: 'Written' }, { kind: 'Accepted' }],
  [
    { kind: 'Conflict', message: 'another pod' },
    { kind: 'Undelivered', message: 'another pod' },
  ],
  [
    { kind: 'Refused', message: 'is forbidden' },
    { kind: 'Refused', message: 'is forbidden' },
  ],
  [
    { kind: 'Rejected', message: 'is invalid' },
    { kind: 'Unsupported', message: 'is invalid' },
  ],
  [
    { kind: 'Busy', message: 'a budget', retryAfter: 10_000 },
    { kind: 'Busy', message: 'a budget', retryAfterMs: 10_000 },
  ],
  [
    { kind: 'Busy', message: 'a budget', retryAfter: undefined },
    { kind: 'Busy', message: 'a budget' },
  ],
  [
    { kind: 'Undelivered', message: 'not sent' },
    { kind: 'Undelivered', message: 'not sent' },
  ],
  [
    { kind: 'Unconfirmed', message: 'no answer' },
    { kind: 'Unconfirmed', message: 'no answer' },
  ],
];

describe('what became of a write', () => {
  it.each(written)('%j is an attempt %j', (result, expected) => {
    expect(toWriteAttempt(result)).toStrictEqual(expected);
  });

  it.each(
    [ImageSwap, EphemeralContainer, Deadline, Evict, Delete].flatMap((step) =>
      written.map(([result, expected]) => ({ step, result, expected })),
    ),
  )('$step.method: $result.kind is $expected.kind', async ({ step, result, expected }) => {
    const { cluster } = clusterThat(result);
    expect(await sendToPod(cluster, pod, ['sidecar'], step, signal)).toStrictEqual(expected);
  });
});

describe('ephemeral containers for several sidecars', () => {
  it('end with the first that was refused: the others would be as well', async () => {
    const { cluster, calls } = clusterThat({ kind: 'Refused', message: 'is forbidden' });
    const result = await sendToPod(cluster, pod, ['a', 'b'], EphemeralContainer, signal);
    expect(result.kind).toBe('Refused');
    expect(calls).toHaveLength(1);
  });

  it('go on after one of which nobody knows whether it arrived', async () => {
    const { cluster, calls } = clusterThat({ kind: 'Unconfirmed', message: 'no answer' });
    await sendToPod(cluster, pod, ['a', 'b'], EphemeralContainer, signal);
    expect(calls).toHaveLength(2);
  });

  it('are worth waiting for when one of them was written, whatever became of the next', async () => {
    const { cluster } = clusterThat({ kind: 'Written' }, { kind: 'Rejected', message: 'is invalid' });
    const result = await sendToPod(cluster, pod, ['a', 'b'], EphemeralContainer, signal);
    expect(['Accepted', 'Unconfirmed']).toContain(result.kind);
  });

  it('for none say that none is left', async () => {
    const { cluster, calls } = clusterThat();
    expect(await sendToPod(cluster, pod, [], EphemeralContainer, signal)).toMatchObject({
      kind: 'Undelivered',
    });
    expect(calls).toEqual([]);
  });
});
