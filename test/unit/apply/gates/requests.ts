import type { Answer, Gate, SendRequest, Settled } from '../../../../src/apply/gates/gate.ts';
import type { JobCounts } from '../../../../src/facts/job-facts.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import { now, podView } from '../../../builders/pod-view.ts';

/** A request to a pod of this name. */
export function requestTo(
  name: string,
  more: Partial<SendRequest> = {},
  pod: Partial<PodView> = {},
): SendRequest {
  return {
    id: `${name}/0`,
    pod: podView({ ref: { namespace: 'demo', name, uid: name }, ...pod }),
    job: undefined,
    cost: 'AnotherRun',
    promises: [],
    restarts: 0,
    mayFailJob: false,
    node: undefined,
    ...more,
  };
}

export const over = (end: Extract<Settled, { kind: 'Over' }>['end']): Settled => ({ kind: 'Over', end });
export const left = (phase: Extract<Settled, { kind: 'Left' }>['phase'] = 'Succeeded'): Settled => ({
  kind: 'Left',
  phase,
});
export const answered = (reached?: boolean): Settled => ({ kind: 'Answered', reached });

/** What has happened behind a gate: a request was reserved, or settled. */
export type Happened = readonly [request: SendRequest, settled?: Settled];

/** Plays what has happened, in order, and gives the keys that the last settlement opened. */
export function play(gate: Gate, history: readonly Happened[], counts?: JobCounts): readonly string[] {
  let keys: readonly string[] = [];
  for (const [request, settled] of history) {
    if (settled) keys = gate.settle(request, settled, now);
    else gate.reserve(request, counts);
  }
  return keys;
}

/** How many of these requests may be in flight at once. */
export function width(gate: Gate, requests: readonly SendRequest[], counts?: JobCounts): number {
  const blocked = requests.findIndex((request) => {
    const isOpen = gate.ask(request, counts, now).kind === 'Open';
    if (isOpen) gate.reserve(request, counts);
    return !isOpen;
  });
  return blocked < 0 ? requests.length : blocked;
}

export const open: Answer = { kind: 'Open' };
export const waitFor = (key: string): Answer => ({ kind: 'Wait', key });
