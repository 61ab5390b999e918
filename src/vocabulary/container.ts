import type { Millis } from '../duration.ts';

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface ContainerView {
  readonly name: string;
  readonly image: string;
  /** `command` and `args` of the spec; undefined if the image's own apply. */
  readonly command: readonly string[] | undefined;
  readonly args: readonly string[] | undefined;
  /** Where volumes are mounted: files below these paths do not come from the image. */
  readonly mounts: readonly string[];
  readonly pullPolicy: string;
  /** The environment variables that have a literal value in the spec. */
  readonly env: Readonly<Record<string, string>>;
  /** The container's own policy (Kubernetes 1.34+), which overrides the pod's. */
  readonly restartPolicy: RestartPolicy | undefined;
  readonly restartRules: readonly RestartRule[];
  readonly swapSigns: readonly SwapSign[];
  readonly state: ContainerState;
  /** The container ID of the instance that `state` describes. */
  readonly id: string | undefined;
  /** The image of that container, as the runtime names it. */
  readonly ranImage: string | undefined;
  readonly restartCount: number;
  /** How the previous instance ended, and when. */
  readonly lastExitCode: number | undefined;
  readonly lastFinishedAt: Millis | undefined;
}

/** Why a swap of a container's image may behave differently from those that were recorded. */
export type SwapSign = 'PostStart' | 'Probes' | 'Resize';

export type ContainerState =
  | { readonly kind: 'Running'; readonly startedAt: Millis | undefined }
  | { readonly kind: 'Waiting'; readonly reason: string }
  | {
      readonly kind: 'Terminated';
      readonly exitCode: number;
      readonly signal: number | undefined;
      readonly reason: string;
      readonly finishedAt: Millis | undefined;
    }
  | { readonly kind: 'Unreported' };

/** A restart rule (`restartPolicyRules`): exit codes that restart the container, whatever its policy. */
export interface RestartRule {
  /** `Restart`, or since Kubernetes 1.35 `RestartAllContainers`, which restarts the mains too. */
  readonly action: string;
  readonly operator: 'In' | 'NotIn';
  readonly exitCodes: readonly number[];
}

export interface InitContainerView {
  readonly name: string;
  readonly image: string;
  readonly state: ContainerState;
}

export interface NativeSidecarView extends InitContainerView {
  /** Whether it has passed its startup probe, or runs without one. */
  readonly started: boolean;
  readonly restartCount: number;
  /** How long its startup probe may take until the kubelet kills it; undefined if it has none. */
  readonly startupLimit: Millis | undefined;
}
