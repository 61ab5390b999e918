import type { Sign } from '../model/signs.ts';

/** How pods stop getting stuck on a known sidecar that something else than their owner adds to them. */
export interface Cure {
  /** A pod that shows one of these got it from the injector. */
  readonly injectedIf: readonly Sign[];
  /** The best one first. */
  readonly switches: readonly Switch[];
}

/** A setting of the injector or of the sidecar. */
export interface Switch {
  /** The first versions that have it, by the sidecar's tag; edge releases are counted by themselves. Every version, if omitted. */
  readonly since?: readonly string[];
  /** The first versions that have something better. */
  readonly until?: readonly string[];
  /** Only if the pod shows one of these, or not if it does. */
  readonly when?: readonly Sign[];
  readonly unless?: readonly Sign[];
  /** An annotation of the pod that sets it. */
  readonly annotation?: { readonly key: string; readonly value: string };
  /** What to do, where it is more than to set the annotation. */
  readonly does?: string;
  readonly changes: string;
  /** Whether it makes the container a native sidecar. */
  readonly native?: true;
  /** The kubelet that every node must have for the injector to do so by itself. */
  readonly kubelets?: string;
  readonly source: string;
}
