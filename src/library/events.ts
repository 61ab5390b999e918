import type { AttemptResult, ContainerOutcome, PodOutcome, StopReason, Warning } from './contract.ts';

/** A pod; the uid tells it from later ones of the same name. */
export interface Pod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What happens while a sweep is planned or applied, in this order for each pod. New kinds may come with any release. */
export type SweepEvent =
  /** A page of the list of pods was read; `pods` is how many it had. */
  | { readonly kind: 'Listed'; readonly pods: number }
  /** Pods of this namespace, or all if it is missing, could not be listed. */
  | { readonly kind: 'Unread'; readonly namespace?: string; readonly message: string }
  /** The pod is kept running by its sidecars. */
  | { readonly kind: 'Stuck'; readonly pod: Pod }
  /** A step was sent or held back. The result says what became of the request, not of the container. */
  | {
      readonly kind: 'StepSent';
      readonly pod: Pod;
      readonly container: string;
      /** The step in words. */
      readonly does: string;
      readonly result: AttemptResult;
      /** How long the answer took, in milliseconds. */
      readonly durationMs: number;
    }
  /** What a read of the pod showed at the end. */
  | {
      readonly kind: 'PodConcluded';
      readonly pod: Pod;
      readonly outcome: PodOutcome;
      readonly sidecars: readonly { readonly container: string; readonly outcome: ContainerOutcome }[];
    }
  | { readonly kind: 'Warned'; readonly warning: Warning }
  /** An error of the program itself. It stays with the pod that it is about; please report it. */
  | { readonly kind: 'Faulted'; readonly message: string }
  | { readonly kind: 'Stopping'; readonly reason: StopReason };
