import { shippedAllowlist } from '../../src/methods/allowlist.ts';
import type { Facts } from '../../src/model/facts.ts';
import { catalogue } from '../../src/policy/catalogue.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { minute } from './pod-view.ts';

/** The default policy, with overrides. */
export function policy(more: Partial<Policy> = {}): Policy {
  return {
    scope: { namespaces: [], labelSelector: undefined },
    minAge: 5 * minute,
    rules: [],
    catalogue,
    annotationCommands: { kind: 'Allowlist', patterns: shippedAllowlist },
    uncleanExit: 'forbid',
    lastResort: [],
    caps: { run: undefined, namespace: undefined, node: undefined },
    brake: { pods: 1_000, share: 100 },
    swap: undefined,
    raiseBackoffLimit: false,
    keepLogs: 0,
    maxGrace: 6 * minute,
    ...more,
  };
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
