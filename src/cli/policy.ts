import { catalogue } from '../policy/catalogue.ts';
import type { Policy, Shard } from '../types.ts';
import { type ScopeFlags, scopeOf } from './flags.ts';

/** What the flags decide. */
export function policyOf(flags: ScopeFlags, namespaces: readonly string[], shard?: Shard): Policy {
  return { scope: { ...scopeOf(flags, namespaces), shard }, minAge: flags.minAge, rules: [], catalogue };
}
