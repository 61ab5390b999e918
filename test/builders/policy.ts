import { catalogue } from '../../src/policy/catalogue.ts';
import type { Policy } from '../../src/types.ts';
import { minute } from './pod-view.ts';

/** The defaults: every namespace, five minutes, the built-in catalogue. */
export function policy(more: Partial<Policy> = {}): Policy {
  return {
    scope: { namespaces: [], labelSelector: undefined },
    minAge: 5 * minute,
    catalogue,
    ...more,
  };
}
