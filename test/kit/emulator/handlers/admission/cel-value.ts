import type { KubeObject } from '../../world/objects.ts';

/** An object as CEL sees it: whole numbers are int, and what the API's types leave out if empty is absent. */
export function celObject(object: KubeObject | null): unknown {
  if (!object?.metadata) return celValue(object);
  const { labels, annotations, finalizers, ownerReferences, ...metadata } = object.metadata;
  const omittedIfEmpty = { labels, annotations, finalizers, ownerReferences };
  const present = Object.entries(omittedIfEmpty).filter(([, value]) => Object.keys(value ?? {}).length > 0);
  return celValue({ ...object, metadata: { ...metadata, ...Object.fromEntries(present) } });
}

export function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  return Object.fromEntries(present.map(([key, inner]) => [key, celValue(inner)]));
}
