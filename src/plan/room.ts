import type { CapReason } from '../model/outcome.ts';
import type { Caps } from '../policy/policy.ts';
import type { PodPlan } from './sweep-plan.ts';

/** How many more pods fit under the caps. */
export class Room {
  #pods = 0;
  readonly #ofNamespace = new Map<string, number>();
  readonly #ofNode = new Map<string, number>();

  constructor(private readonly caps: Caps) {}

  /** The cap that leaves no room for a pod, the widest one first; undefined if there is room. */
  lacksFor({ candidate }: PodPlan): CapReason | undefined {
    const { ref, node } = candidate.pod;
    const { run = Infinity, namespace = Infinity, node: ofNode = Infinity } = this.caps;
    if (this.#pods >= run) return 'OverMaxPods';
    if ((this.#ofNamespace.get(ref.namespace) ?? 0) >= namespace) return 'OverMaxPodsPerNamespace';
    if (node !== undefined && (this.#ofNode.get(node) ?? 0) >= ofNode) return 'OverMaxPodsPerNode';
    return undefined;
  }

  take({ candidate }: PodPlan): void {
    const { ref, node = '' } = candidate.pod;
    this.#pods++;
    this.#ofNamespace.set(ref.namespace, (this.#ofNamespace.get(ref.namespace) ?? 0) + 1);
    this.#ofNode.set(node, (this.#ofNode.get(node) ?? 0) + 1);
  }
}
