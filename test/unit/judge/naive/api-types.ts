/** The parts of the API's pods that judging uses. */
export interface ApiPod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly ApiOwner[];
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly restartPolicy: string;
    readonly os?: { readonly name: string };
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly containers: readonly ApiContainer[];
    readonly initContainers?: readonly ApiContainer[];
    readonly ephemeralContainers?: readonly ApiContainer[];
  };
  readonly status: {
    readonly phase: string;
    readonly reason?: string;
    readonly containerStatuses?: readonly ApiStatus[];
    readonly initContainerStatuses?: readonly ApiStatus[];
  };
}

export interface ApiOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface ApiContainer {
  readonly name: string;
  readonly image?: string;
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly ApiRestartRule[];
  readonly startupProbe?: { readonly periodSeconds: number; readonly failureThreshold: number };
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

export interface ApiRestartRule {
  readonly action: string;
  readonly exitCodes: { readonly operator: string; readonly values: readonly number[] };
}

export interface ApiStatus {
  readonly name: string;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly state: {
    readonly running?: { readonly startedAt: string };
    readonly waiting?: { readonly reason?: string };
    readonly terminated?: { readonly exitCode: number; readonly finishedAt?: string | null | undefined };
  };
}
