import type { Millis } from '../duration.ts';
import type { Workload } from '../report/history/schema.ts';
import { type Origin, originOf } from './origin.ts';
import { type Spent, spend } from './spent.ts';
import type { Story } from './story.ts';

type Fate = 'Ended' | 'Gone' | 'Stuck';

/** A pod that was stuck: what became of it, and what it reserved meanwhile. */
export interface Past extends Story {
  readonly origin: Origin;
  /** Tells its origin apart from those in other namespaces and clusters. */
  readonly originKey: string;
  readonly fate: Fate;
  /** When it ended or, as far as that is known, was still stuck. */
  readonly until: Millis;
  readonly wasted: Spent;
}

export function pastOf(story: Story, lastLooks: ReadonlyMap<string, Millis>): Past {
  const { last } = story;
  const { fate, at } = fateOf(story, lastLooks);
  const until = Math.max(at, last.mainsEndedAt);
  const origin = originOf(last);
  return {
    ...story,
    origin,
    originKey: `${story.cluster.id} ${last.namespace} ${origin.kind} ${origin.name}`,
    fate,
    until,
    wasted: spend(last.requests, until - last.mainsEndedAt),
  };
}

export function workloadOf({ cluster, last: { namespace }, origin: { kind, name } }: Past): Workload {
  return { cluster: cluster.name, namespace, kind, name };
}

/** The Job, or whatever else an origin starts at a time; without an owner, the pod itself. */
export function instanceOf({ last: { owner, name } }: Past): string {
  return owner?.name ?? name;
}

function fateOf(
  { series, lastSeenAt, last: { left } }: Story,
  lastLooks: ReadonlyMap<string, Millis>,
): { readonly fate: Fate; readonly at: Millis } {
  if (left.kind !== 'Stuck') return { fate: left.kind, at: left.at };
  // It is gone if a sweep sees all and no longer finds it. Nobody knows since when, so no more is counted.
  const isMissed = [...series].some((one) => (lastLooks.get(one) ?? lastSeenAt) > lastSeenAt);
  return { fate: isMissed ? 'Gone' : 'Stuck', at: lastSeenAt };
}
