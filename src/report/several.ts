import { apiVersion } from './api-version.ts';

/** A document with several items of one kind, as Kubernetes lists objects. */
export function listOf<K extends string, T>(kind: K, items: readonly T[]) {
  return { apiVersion, kind, items };
}
