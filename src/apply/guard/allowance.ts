import type { HeldReason } from '../../model/outcome.ts';
import type { PodRef } from '../../model/pod.ts';
import { wokenBy } from '../../util/concurrency.ts';

/** How many pods of one image a sweep may see end unclean, however differently they are started. */
const uncleanEndsAllowed = 3;

/** How many of these may be in one namespace, so that no tenant leaves those of others without a trial. */
const ofOneAmongSeveral = 2;

type Pod = Pick<PodRef, 'uid' | 'namespace'>;

/** Bounds what the canaries of one image can cost together. */
export class Allowance {
  readonly #namespaces = new Set<string>();
  /** The namespaces of the pods, by uid. */
  readonly #trying = new Map<string, string>();
  readonly #spent = new Map<string, string>();
  #waiting: (() => void)[] = [];

  /** Announces that pods of a namespace may come to try. */
  expect(namespace: string): void {
    this.#namespaces.add(namespace);
  }

  /** Resolves when this pod may try too, or with the reason why it never may. */
  async take({ uid, namespace }: Pod, stop: AbortSignal): Promise<'Go' | HeldReason> {
    while (!stop.aborted && !this.#trying.has(uid) && !this.#spent.has(uid)) {
      if (!this.#hasRoom(namespace, this.#spent)) return 'ManyEndedUnclean';
      if (this.#hasRoom(namespace, this.#spent, this.#trying)) {
        this.#trying.set(uid, namespace);
        break;
      }
      await wokenBy(stop, (wake) => this.#waiting.push(wake));
    }
    return 'Go';
  }

  /** What a pod that tried has cost; one that was told to end and has not may still cost it. */
  give({ uid, namespace }: Pod, hasCost: boolean): void {
    this.#trying.delete(uid);
    if (hasCost) this.#spent.set(uid, namespace);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Whether one more pod of the namespace fits in beside these. */
  #hasRoom(namespace: string, ...pods: readonly ReadonlyMap<string, string>[]): boolean {
    const namespaces = pods.flatMap((some) => [...some.values()]);
    const own = namespaces.filter((each) => each === namespace);
    const ownAllowed = this.#namespaces.size > 1 ? ofOneAmongSeveral : uncleanEndsAllowed;
    return namespaces.length < uncleanEndsAllowed && own.length < ownAllowed;
  }
}
