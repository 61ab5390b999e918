import type { UncleanCost } from '../../model/step.ts';
import type { PodPlan } from '../../plan/sweep-plan.ts';
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
}

/** How much an unclean end loses: a restart leaves the pod as stuck as it was, another run takes time, and the rest is for good. */
const losses: Readonly<Record<UncleanCost['kind'], number>> = {
  Nothing: 0,
  Restart: 0,
  AnotherRun: 1,
  Index: 2,
  Job: 2,
};

/** The order in which pods begin: the first of them try the promises that the others rely on. */
export function byLoss(
  { uncleanCost: one }: Pick<PodPlan, 'uncleanCost'>,
  { uncleanCost: other }: Pick<PodPlan, 'uncleanCost'>,
): number {
  return losses[one.kind] - losses[other.kind];
}

/** Bounds what a wrong promise costs: the first unclean end behind a fuse blows it for the rest of the sweep. */
export class FuseGate implements Gate {
  readonly #fuses = new Map<string, Fuse>();

  constructor(
    /** Told once for each promise that a sidecar or a no-op image has broken. */
    private readonly onBroken: (promise: string, by: 'Unclean' | 'NotStarted') => void,
  ) {}

  ask(request: SendRequest): Answer {
    for (const promise of request.promises) {
      const fuse = this.#of(promise);
      if (fuse.blown === 'NotStarted') return { kind: 'Never', reason: 'NoopDoesNotStart' };
      if (fuse.blown) return { kind: 'Never', reason: 'PromiseBroken' };
      const isFull = !fuse.reserved.has(request.id) && fuse.reserved.size >= widthOf(fuse);
      if (isFull) return { kind: 'Wait', key: keyOf(promise) };
    }
    return { kind: 'Open' };
  }

  reserve({ id, promises }: SendRequest): void {
    for (const promise of promises) this.#of(promise).reserved.add(id);
  }

  settle({ id, promises }: SendRequest, settled: Settled): readonly string[] {
    if (settled.kind !== 'Over') return [];
    for (const promise of promises) {
      const fuse = this.#of(promise);
      fuse.reserved.delete(id);
      this.#count(promise, fuse, settled.end);
    }
    return promises.map(keyOf);
  }

  /** A swap that is pending counts neither way: its image may never start, so no others follow at once. */
  #count(promise: string, fuse: Fuse, end: StepEnd): void {
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
    const fuse: Fuse = this.#fuses.get(promise) ?? none;
    this.#fuses.set(promise, fuse);
    return fuse;
  }
}

function widthOf({ clean, unseen }: Fuse): number {
  if (clean >= cleanToProve || unseen >= unseenToGoOn) return widths.proved;
  return clean > 0 ? widths.tried : widths.untried;
}

function keyOf(promise: string): string {
  return `fuse ${promise}`;
}
