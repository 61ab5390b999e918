import type { EmulatorClock } from '../../clock.ts';

/** How many milliseconds late a node's kubelet notices the end of a container. */
export type StatusLag = (end: {
  readonly node: string;
  /** How many containers have ended on the node in the last ten seconds, with this one. */
  readonly recentEnds: number;
}) => number;

const RECENT = 10_000;

/** Counts the ends on each node, on which the lag of a kubelet depends. */
export class Lag {
  readonly #ends = new Map<string, number[]>();

  constructor(
    private readonly clock: EmulatorClock,
    private readonly lag: StatusLag | undefined,
  ) {}

  afterEnd(node: string): number {
    if (!this.lag) return 0;
    const now = this.clock.now().getTime();
    const recent = [...(this.#ends.get(node) ?? []), now].filter((at) => now - at <= RECENT);
    this.#ends.set(node, recent);
    return this.lag({ node, recentEnds: recent.length });
  }
}
