import type { KubeObject } from '../../world/objects.ts';
import type { Call } from '../call.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A write as admission sees it: the request, and what it is about to do. */
export interface Write {
  readonly call: Call;
  readonly operation: Operation;
  /** The kind that the request's body has: the resource's own, or its subresource's. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly name: string;
  /** Null in a deletion. */
  readonly object: KubeObject | null;
  /** Null in a creation and in a connection. */
  readonly oldObject: KubeObject | null;
  readonly dryRun: boolean;
}

/** The write of an object of the request's own kind. */
export function writeOf(
  call: Call,
  operation: Operation,
  { object = null, oldObject = null, dryRun }: Partial<Write> & { readonly dryRun: boolean },
): Write {
  const { group, version, kind } = call.resource;
  const name = (object ?? oldObject)?.metadata.name ?? call.info.name;
  return { call, operation, kind: { group, version, kind }, name, object, oldObject, dryRun };
}
