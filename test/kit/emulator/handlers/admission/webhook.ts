import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, Pod } from '../../world/objects.ts';
import type { Call } from '../call.ts';
import { StatusError } from '../status.ts';

/** What a webhook sees of a write to a pod. */
export interface PodReview {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly pod: Pod;
  /** Undefined in a creation. */
  readonly oldPod: Pod | undefined;
  readonly username: string;
  readonly dryRun: boolean;
}

type PodVerdict =
  | { readonly kind: 'Allow' }
  | { readonly kind: 'Rewrite'; readonly pod: Pod }
  | { readonly kind: 'Refuse'; readonly message: string };

/** A mutating webhook for pods, for example one that sets every image to a mirror of its registry. */
export interface PodWebhook {
  readonly name: string;
  readonly review: (review: PodReview) => PodVerdict;
}

/** The object that the webhook makes of this one. Webhooks come before validation. */
export function mutate<T extends KubeObject>(
  call: Call,
  { object, oldObject, dryRun }: { readonly object: T; readonly oldObject?: T; readonly dryRun: boolean },
): T {
  const { webhook } = call.backend;
  if (!webhook || call.resource.resource !== 'pods' || call.info.subresource !== '') return object;
  const verdict = webhook.review({
    operation: oldObject ? 'UPDATE' : 'CREATE',
    pod: structuredClone(object) as unknown as Pod,
    oldPod: oldObject as Pod | undefined,
    username: call.user.username,
    dryRun,
  });
  switch (verdict.kind) {
    case 'Allow':
      return object;
    case 'Rewrite':
      return isDeepStrictEqual(verdict.pod, object) ? object : (verdict.pod as unknown as T);
    case 'Refuse':
      throw new StatusError(
        403,
        'Forbidden',
        `admission webhook "${webhook.name}" denied the request: ${verdict.message}`,
      );
  }
}
