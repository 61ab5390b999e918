import { shippedAllowlist } from '../../src/policy/allowlist.ts';
import { catalogue } from '../../src/policy/catalogue.ts';
import type { Facts, Policy } from '../../src/vocabulary.ts';
import { minute } from './pod-view.ts';

/** The defaults: every namespace, five minutes, the built-in catalogue and allowlist, a canary, no last resort. */
export function policy(more: Partial<Policy> = {}): Policy {
  return {
    scope: { namespaces: [], labelSelector: undefined },
    minAge: 5 * minute,
    rules: [],
    catalogue,
    annotationCommands: { kind: 'Allowlist', patterns: shippedAllowlist },
    uncleanExit: 'canary',
    lastResort: [],
    ...more,
  };
}

/** Nothing was read besides the pods. */
export const noFacts: Facts = { jobContainers: new Map(), unreadyNodes: new Map(), self: undefined };
