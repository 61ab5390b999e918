import type { UncleanCost } from '../../model/step.ts';
import type { Answer, Gate, SendRequest, Settled, StepEnd } from './gate.ts';

/** How many pods may be in flight behind one fuse: one until an end came clean, then more and more. */
const widths = { untried: 1, tried: 4, proved: 16 } as const;
const cleanToProve = 5;
/** Sidecars that do not end in their time prove nothing, but must not keep all others waiting. */
const unseenToGoOn = 2;

interface Fuse {
  readonly reserved: Set<string>;
  clean: number;
  unseen: number;
  blown: 'Unclean' | 'Killed' | 'NotStarted' | undefined;
  /** Pods that are still to be sent to, with their Jobs, by how much they have to lose, but for those with most. */
  readonly expected: readonly Map<string, string | undefined>[];
}

/** How much an unclean end loses: a restart leaves the pod as stuck as it was, another run takes time, and the rest is for good. */
const losses: Readonly<Record<UncleanCost['kind'], number>> = {
  Nothing: 0,
  Restart: 0,
  AnotherRun: 1,
  Index: 2,
  Job: 2,
};
/** With so much to lose, pods wait for others. */
const waitingLosses = [losses.AnotherRun, losses.Job];

/**
 * Bounds what a wrong promise costs: the first unclean end behind a fuse blows it for the rest of the sweep. Until an end is clean, pods
 * wait for those that have less to lose.
 */
export class FuseGate implements Gate {
  readonly #fuses = new Map<string, Fuse>();
  /** Pods that were sent to and are not concluded yet, with their Jobs, of which other pods may have to wait for that. */
  readonly #begun = new Map<string, string | undefined>();

  constructor(
    /** Told once for each promise that a sidecar or a no-op image has broken. */
    private readonly onBroken: (promise: string, by: 'Unclean' | 'NotStarted') => void,
  ) {}

  /** Announces a pod that is going to be sent to, so that pods with more to lose wait for it. */
  expect({ promises, cost, pod, job }: Pick<SendRequest, 'promises' | 'cost' | 'pod' | 'job'>): void {
    for (const promise of promises) this.#of(promise).expected[losses[cost]]?.set(pod.ref.uid, job);
  }

  ask(request: SendRequest): Answer {
    for (const promise of request.promises) {
      const fuse = this.#of(promise);
      if (fuse.blown === 'NotStarted') return { kind: 'Never', reason: 'NoopDoesNotStart' };
      if (fuse.blown) return { kind: 'Never', reason: 'PromiseBroken' };
      if (fuse.clean === 0 && this.#goesLater(request, fuse)) {
        return { kind: 'Wait', key: keyOf(promise, losses[request.cost]) };
      }
      if (fuse.reserved.size >= widthOf(fuse)) return { kind: 'Wait', key: keyOf(promise) };
    }
    return { kind: 'Open' };
  }

  /** A pod that has begun does not wait for Jobs in which one has, lest two wait for each other. */
  #goesLater({ pod, job, cost }: SendRequest, { expected }: Fuse): boolean {
    const cheaper = expected.slice(0, losses[cost]);
    if (job === undefined || !this.#begun.has(pod.ref.uid)) return cheaper.some(({ size }) => size > 0);
    const begun = new Set(this.#begun.values());
    return cheaper.flatMap((jobs) => [...jobs.values()]).some((one) => one === undefined || !begun.has(one));
  }

  reserve({ id, promises, pod, job }: SendRequest): void {
    this.#begun.set(pod.ref.uid, job);
    for (const promise of promises) this.#of(promise).reserved.add(id);
  }

  settle({ id, promises, pod }: SendRequest, settled: Settled): readonly string[] {
    if (settled.kind === 'Answered') return [];
    const end = settled.kind === 'Over' ? settled.end : undefined;
    if (!end) this.#begun.delete(pod.ref.uid);
    for (const promise of promises) {
      const fuse = this.#of(promise);
      // A step that was not sent may be tried again until the pod is concluded.
      if (end !== 'NotSent') for (const pods of fuse.expected) pods.delete(pod.ref.uid);
      if (end) fuse.reserved.delete(id);
      this.#count(promise, fuse, end);
    }
    const keys = promises.map((promise) => keyOf(promise));
    return [...keys, ...waitingLosses.flatMap((loss) => promises.map((promise) => keyOf(promise, loss)))];
  }

  /** A swap that is pending counts neither way: its image may never start, so no others follow at once. */
  #count(promise: string, fuse: Fuse, end: StepEnd | undefined): void {
    switch (end) {
      case 'Clean':
        fuse.clean++;
        return;
      case 'Unseen':
        fuse.unseen++;
        return;
      case 'Unclean':
        if (fuse.blown !== 'Unclean') this.onBroken(promise, end);
        fuse.blown = 'Unclean';
        return;
      case 'NotStarted':
        if (fuse.blown === undefined) this.onBroken(promise, end);
        fuse.blown ??= end;
        return;
      case 'Killed':
        // That is not the sidecar's own doing, so it is not remembered.
        fuse.blown ??= end;
    }
  }

  #of(promise: string): Fuse {
    const none = { reserved: new Set<string>(), clean: 0, unseen: 0, blown: undefined };
    const fuse: Fuse = this.#fuses.get(promise) ?? { ...none, expected: [new Map(), new Map()] };
    this.#fuses.set(promise, fuse);
    return fuse;
  }
}

function widthOf({ clean, unseen }: Fuse): number {
  if (clean >= cleanToProve || unseen >= unseenToGoOn) return widths.proved;
  return clean > 0 ? widths.tried : widths.untried;
}

/** @param loss With it, the key for which pods that have so much to lose wait while others have less. */
function keyOf(promise: string, loss?: number): string {
  return loss === undefined ? `fuse ${promise}` : `fuse ${loss} ${promise}`;
}
