import type { Problem } from './model/observation.ts';
import type { Owner } from './model/pod.ts';

/** The port of advice: what pods are made from, and which versions run. It changes nothing. */
export interface Origins {
  /** The template of a Job or a CronJob; it is Gone if an object with another uid than this one has its name. */
  readTemplate(
    namespace: string,
    owner: Pick<Owner, 'kind' | 'name' | 'uid'>,
    abort: AbortSignal,
  ): Promise<TemplateReading>;
  /** The version of the API server, such as `v1.31.2`; undefined if it cannot be read. */
  readVersion(abort: AbortSignal): Promise<string | undefined>;
  listKubelets(abort: AbortSignal): Promise<KubeletsReading>;
}

export type TemplateReading =
  | { readonly kind: 'Present'; readonly template: TemplateView }
  | { readonly kind: 'Gone' }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** A pod template, and the object that has it. */
export interface TemplateView {
  /** Of the object. */
  readonly uid: string;
  /** What controls the object: for a Job, it may be a CronJob. */
  readonly owner: Owner | undefined;
  readonly generation: number | undefined;
  /** Names of its regular containers, in order. */
  readonly containers: readonly string[];
  readonly nativeSidecars: readonly string[];
  /** How many init containers it has, native sidecars among them. */
  readonly initContainers: number;
  readonly hasMetadata: boolean;
  /** Undefined if it has none. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
}

export type KubeletsReading =
  | { readonly kind: 'Read'; readonly kubelets: readonly Kubelet[] }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

export interface Kubelet {
  readonly node: string;
  /** Such as `v1.31.2-gke.100`. */
  readonly version: string;
}
