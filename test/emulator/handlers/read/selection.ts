import type { KubeObject } from '../../world/objects.ts';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';

/** Which objects of a resource a list, watch or deletecollection is about. */
export interface Selection {
  readonly namespace: string;
  /** Whether anything but the namespace narrows it: then the server does not count what remains. */
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
