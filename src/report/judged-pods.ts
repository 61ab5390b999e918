import { bounds } from '../model/bounds.ts';
import type { MalformedPod, PodName, PodView } from '../model/pod.ts';
import type { Candidate, Excluded, NeverStarted, NotStartedAgain, Verdict } from '../model/verdict.ts';
import type { Warning } from '../model/warning.ts';
import type { SweepEvent } from '../plan/sweep-event.ts';
import type { Policy } from '../policy/policy.ts';
import { countKinds } from '../util/groups.ts';
import type { Millis } from '../util/time.ts';
import { iso, isoIfKnown } from './format.ts';
import type { Found } from './found.ts';
import type { HangingPodReport, WaitingPodReport } from './scan-schema.ts';
import type { ExcludedPodReport, PodReport, SweepReport } from './schema.ts';
import { describeUnread } from './texts/warnings.ts';

/** Collects the events of listing and judging. Lists the pods that were left alone only if verbose. */
export class JudgedPods<Kept> {
  /** By uid; those that are reported may be taken out, to free their memory. */
  readonly candidates = new Map<string, Kept>();
  #candidates = 0;
  #listed = 0;
  #otherShards = 0;
  #excluded = 0;
  /** The first reason of each pod that is left alone. */
  readonly #excludedBecause: string[] = [];
  readonly #warnings = new Map<string, Warning>();
  #warningsLeftOut = 0;
  readonly #lists = {
    unread: [] as SweepReport['unread'][number][],
    undecided: [] as MalformedPod[],
    excluded: undefined as ExcludedPodReport[] | undefined,
    neverStarted: [] as WaitingPodReport[],
    notStartedAgain: [] as WaitingPodReport[],
    hanging: [] as HangingPodReport[],
  };

  /** @param keep What is kept of a candidate: as it was read, it takes several times as much memory as its report. */
  constructor(
    private readonly keep: (candidate: Candidate) => Kept,
    { verbose }: { readonly verbose: boolean } = { verbose: false },
  ) {
    if (verbose) this.#lists.excluded = [];
  }

  hear(event: SweepEvent): void {
    switch (event.kind) {
      case 'PageListed':
        this.#listed += event.pods + event.malformed.length + event.otherShards;
        this.#otherShards += event.otherShards;
        for (const pod of event.malformed) this.#lists.undecided.push(pod);
        for (const ref of event.atWork) this.#leaveAlone(ref, [{ kind: 'NothingEnded' }]);
        break;
      case 'ReadFailed': {
        const { namespace, what, problem } = event;
        this.#lists.unread.push({ namespace, problem: problem.kind, message: describeUnread(event), what });
        break;
      }
      case 'PodJudged':
        this.#hearVerdict(event.verdict);
        break;
      case 'Warned':
        this.#warn(event.warning);
        break;
    }
  }

  report<C>(cluster: C, policy: Pick<Policy, 'scope' | 'minAge'>, asOf: Millis | undefined) {
    const { undecided, neverStarted, notStartedAgain, hanging } = this.#lists;
    return {
      asOf: isoIfKnown(asOf),
      cluster,
      scope: reportScope(policy),
      totals: {
        listed: this.#listed,
        otherShards: this.#otherShards,
        excluded: this.#excluded,
        excludedBecause: countKinds(this.#excludedBecause),
        undecided: undecided.length,
        neverStarted: neverStarted.length,
        notStartedAgain: notStartedAgain.length,
        hanging: countKinds(hanging.map(({ hang }) => hang.kind)),
        candidates: this.#candidates,
        leftOut: { warnings: this.#warningsLeftOut },
      },
      ...this.#lists,
      warnings: [...this.#warnings.values()],
    };
  }

  #hearVerdict(verdict: Verdict): void {
    const { undecided, neverStarted, notStartedAgain, hanging } = this.#lists;
    const { namespace, name, uid } = verdict.pod.ref;
    switch (verdict.kind) {
      case 'Candidate':
        this.#candidates++;
        this.candidates.set(uid, this.keep(verdict));
        break;
      case 'NeverStarted':
        neverStarted.push(reportWaiting(verdict));
        break;
      case 'NotStartedAgain':
        notStartedAgain.push(reportWaiting(verdict));
        break;
      case 'Hanging': {
        const { pod, since, hang } = verdict;
        hanging.push({ namespace, name, owner: reportOwner(pod), since: iso(since), hang });
        break;
      }
      case 'Undecided':
        undecided.push({ namespace, name, problem: verdict.problem });
        break;
      case 'Excluded':
        this.#leaveAlone({ namespace, name }, verdict.because);
        break;
    }
  }

  #leaveAlone({ namespace, name }: PodName, because: Excluded['because']): void {
    this.#excluded++;
    for (const { kind } of because.slice(0, 1)) this.#excludedBecause.push(kind);
    this.#lists.excluded?.push({ namespace, name, because });
  }

  /** Keeps equal warnings once, and merges those about unreadable Jobs into one for all namespaces. */
  #warn(warning: Warning): void {
    if (warning.kind === 'JobsUnreadable') {
      const before = this.#warnings.get(warning.kind);
      const first = before?.kind === 'JobsUnreadable' ? before : warning;
      const namespaces = [...new Set([...first.namespaces, ...warning.namespaces])].sort();
      this.#warnings.set(warning.kind, { ...first, namespaces });
      return;
    }
    const key = JSON.stringify(warning);
    if (this.#warnings.has(key)) return;
    const alike = [...this.#warnings.values()].filter(({ kind }) => kind === warning.kind);
    if (alike.length < bounds.warningsOfKind) this.#warnings.set(key, warning);
    else this.#warningsLeftOut++;
  }
}

function reportWaiting({ pod, sidecars, mainsEndedAt }: NeverStarted | NotStartedAgain): WaitingPodReport {
  return {
    ...pod.ref,
    owner: reportOwner(pod),
    requests: pod.requests,
    mainsEndedAt: iso(mainsEndedAt),
    waiting: sidecars.flatMap(({ container: { name, image, state } }) =>
      state.kind === 'Waiting' ? [{ name, image, reason: state.reason }] : [],
    ),
  };
}

/** A scan or an advice in many small objects: each entry of its lists with the name of the list, and last the rest. */
export function* foundRecords({ cluster, ...document }: Found & { readonly kind: string }): Iterable<object> {
  const lists = Object.entries(document).flatMap(([kind, list]) =>
    Array.isArray(list) ? { kind, list } : [],
  );
  for (const { kind, list } of lists) for (const entry of list) yield { kind, cluster, entry };
  yield { ...document, cluster, ...Object.fromEntries(lists.map(({ kind }) => [kind, undefined])) };
}

export function reportScope({ scope, minAge }: Pick<Policy, 'scope' | 'minAge'>): SweepReport['scope'] {
  const { namespaces, excludeNamespaces = [], namespaceSelector, labelSelector, shard, pods } = scope;
  return {
    namespaces,
    excludeNamespaces: excludeNamespaces.length > 0 ? excludeNamespaces : undefined,
    namespaceSelector,
    labelSelector,
    includePending: scope.includePending ?? false,
    minAgeMs: minAge,
    shard,
    pods: pods?.map(({ namespace, name }) => `${namespace}/${name}`),
  };
}

export function reportOwner({ owner }: PodView): PodReport['owner'] {
  return owner && { kind: owner.kind, name: owner.name };
}

export function reportCandidate({ pod, mainsEndedAt }: Candidate) {
  return {
    ...pod.ref,
    node: pod.node,
    owner: reportOwner(pod),
    restartPolicy: pod.restartPolicy,
    mainsEndedAt: iso(mainsEndedAt),
    requests: pod.requests,
  };
}
