import type { Facts } from '../../src/model/reading.ts';
import { type Policy, resolvePolicy } from '../../src/policy/policy.ts';

/** The default policy, with overrides. */
export function policy(more: Partial<Policy> = {}): Policy {
  return { ...resolvePolicy({}, undefined), ...more };
}

/** No facts: only the pods were read. */
export const noFacts: Facts = {
  jobContainers: new Map(),
  jobNativeSidecars: new Map(),
  unreadyNodes: new Map(),
  platforms: new Map(),
  namespaces: new Map(),
  selectedNamespaces: undefined,
  self: undefined,
};
