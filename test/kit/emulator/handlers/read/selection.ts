import type { KubeObject } from '../../world/objects.ts';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';

/** The objects of a resource that a list, watch or deletecollection selects. */
export interface Selection {
  readonly namespace: string;
  /** Whether a selector narrows it. If so, the server omits `remainingItemCount`. */
  readonly filtered: boolean;
  matches(object: KubeObject): boolean;
}

export function readSelection(resource: string, namespace: string, query: URLSearchParams): Selection {
  const fields = query.get('fieldSelector') ?? '';
  const labels = query.get('labelSelector') ?? '';
  const matchesFields = parseFieldSelector(resource, fields);
  const matchesLabels = parseLabelSelector(labels);
  return {
    namespace,
    filtered: fields !== '' || labels !== '',
    matches: (object) =>
      (namespace === '' || object.metadata.namespace === namespace) &&
      matchesFields(object) &&
      matchesLabels(object.metadata.labels ?? {}),
  };
}
