import type { Facts } from '../model/facts.ts';
import type { Candidate } from '../model/verdict.ts';
import type { PodPlan } from '../plan/sweep-plan.ts';
import type { Policy } from '../policy/policy.ts';
import type { DrawnUp } from '../sweep.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import type { SweepPlan } from './plan.ts';

/** The rest of a plan, as JSON keeps it. */
export interface Work {
  readonly version: string;
  readonly context: string | undefined;
  readonly policy: Policy;
  readonly asOf?: number | undefined;
  readonly pods: readonly PodPlan[];
  /** Those that caps or an error left out. */
  readonly others: readonly Candidate[];
  readonly listed: number;
  readonly isBraked: boolean;
  readonly facts: StoredFacts;
}

/** The facts, whose maps and sets are lists in JSON. */
type StoredFacts = {
  readonly [Name in keyof Facts]?: Stored<Facts[Name]>;
};

type Stored<Fact> =
  Fact extends ReadonlyMap<string, infer Value>
    ? readonly (readonly [string, Value])[]
    : Fact extends ReadonlySet<infer Value>
      ? readonly Value[]
      : Fact;

export function store(
  { work: { asOf, pods, candidates }, facts, listed, isBraked }: DrawnUp,
  { context, policy }: Pick<Work, 'context' | 'policy'>,
): Work {
  const planned = new Set(pods.map(({ candidate }) => candidate.pod.ref.uid));
  return {
    version,
    context,
    policy,
    asOf,
    pods,
    others: candidates.filter(({ pod }) => !planned.has(pod.ref.uid)),
    listed,
    isBraked,
    facts: {
      jobContainers: [...facts.jobContainers],
      jobNativeSidecars: [...facts.jobNativeSidecars],
      unreadyNodes: [...facts.unreadyNodes],
      platforms: [...facts.platforms],
      namespaces: [...facts.namespaces],
      selectedNamespaces: facts.selectedNamespaces && [...facts.selectedNamespaces],
      self: facts.self,
    },
  };
}

export function restore({ asOf, pods, others, facts, listed, isBraked }: Work): DrawnUp {
  const {
    jobContainers = [],
    jobNativeSidecars = [],
    unreadyNodes = [],
    platforms = [],
    namespaces = [],
    selectedNamespaces,
    self,
  } = facts;
  return {
    work: { asOf, pods: [...pods], candidates: [...pods.map(({ candidate }) => candidate), ...others] },
    facts: {
      jobContainers: new Map(jobContainers),
      jobNativeSidecars: new Map(jobNativeSidecars),
      unreadyNodes: new Map(unreadyNodes),
      platforms: new Map(platforms),
      namespaces: new Map(namespaces),
      selectedNamespaces: selectedNamespaces && new Set(selectedNamespaces),
      self,
    },
    listed,
    isBraked,
  };
}

/** What a plan needs to be applied. Throws a UsageError if this version has not made it. */
export function workOf({ work }: SweepPlan): Work {
  const made = (work as Partial<Work> | undefined)?.version;
  if (made === undefined) throw new UsageError('this is no plan: it has no work');
  if (made !== version) {
    throw new UsageError(`the plan was made by version ${made}, and this is ${version}: plan again`);
  }
  return work as Work;
}
