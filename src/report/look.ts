import { bounds } from '../model/bounds.ts';
import type { MalformedPod, PodName, PodView } from '../model/pod.ts';
import type { RunInfo } from '../model/scope.ts';
import type {
  Candidate,
  Excluded,
  Hanging,
  NeverStarted,
  NotStartedAgain,
  Remark,
  Verdict,
} from '../model/verdict.ts';
import type { Warning } from '../model/warning.ts';
import type { SweepEvent } from '../plan/sweep-event.ts';
import type { Policy } from '../policy/policy.ts';
import type { Millis } from '../util/time.ts';
import { Budget, countKinds, Tally } from './counts.ts';
import { iso, isoIfKnown } from './format.ts';
import type { Found } from './found.ts';
import type {
  ExcludedPodReport,
  HangingPodReport,
  PodReport,
  SweepReport,
  WaitingPodReport,
} from './schema.ts';
import { pageOf } from './texts/reasons.ts';

/** The part of a report on what was listed, how it was judged, and what could not be read. */
type Look = Pick<
  SweepReport,
  'unread' | 'undecided' | 'excluded' | 'neverStarted' | 'notStartedAgain' | 'hanging' | 'warnings'
> & {
  readonly totals: Omit<SweepReport['totals'], 'pods' | 'sidecars' | 'stillRunning' | 'leftForNext' | 'harm'>;
};

/** Collects what listing and judging found. Names the pods that were left alone only if verbose. */
export class LookFold {
  /** By uid; those that are reported may be taken out, to free their memory. */
  readonly candidates = new Map<string, Candidate>();
  #candidates = 0;
  #listed = 0;
  #otherShards = 0;
  #excluded = 0;
  readonly #excludedBecause = new Tally();
  readonly #remarks = new Tally();
  readonly #remarkBudget = new Budget({
    ofKind: bounds.remarksOfNamespace,
    altogether: bounds.remarksOfReport,
  });
  readonly #warningBudget = new Budget({ ofKind: bounds.warningsOfKind, altogether: Infinity });
  readonly #warnings = new Map<string, Warning>();
  readonly #lists = {
    unread: [] as SweepReport['unread'][number][],
    undecided: [] as MalformedPod[],
    excluded: undefined as ExcludedPodReport[] | undefined,
    neverStarted: [] as WaitingPodReport[],
    notStartedAgain: [] as WaitingPodReport[],
    hanging: [] as HangingPodReport[],
  };

  constructor({ verbose }: { readonly verbose: boolean }) {
    if (verbose) this.#lists.excluded = [];
  }

  hear(event: SweepEvent): void {
    switch (event.kind) {
      case 'PageListed':
        this.#listed += event.pods + event.malformed.length + event.otherShards;
        this.#otherShards += event.otherShards;
        for (const pod of event.malformed) this.#lists.undecided.push(pod);
        for (const ref of event.atWork) this.#leaveAlone(ref, [{ kind: 'NothingEnded' }], []);
        break;
      case 'ReadFailed': {
        const { namespace, what, problem } = event;
        this.#lists.unread.push({ namespace, problem: problem.kind, message: problem.message, what });
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

  report(): Look {
    const { undecided, neverStarted, notStartedAgain, hanging } = this.#lists;
    return {
      totals: {
        listed: this.#listed,
        otherShards: this.#otherShards,
        excluded: this.#excluded,
        excludedBecause: this.#excludedBecause.counts(),
        undecided: undecided.length,
        neverStarted: neverStarted.length,
        notStartedAgain: notStartedAgain.length,
        hanging: countKinds(hanging.map(({ hang }) => hang.kind)),
        candidates: this.#candidates,
        remarks: this.#remarks.counts(),
        leftOut: { remarks: this.#remarkBudget.leftOut, warnings: this.#warningBudget.leftOut },
      },
      ...this.#lists,
      warnings: [...this.#warnings.values()],
    };
  }

  found(
    { context, server }: Pick<RunInfo, 'context' | 'server'>,
    policy: Pick<Policy, 'scope' | 'minAge'>,
    asOf: Millis | undefined,
  ) {
    const { totals, excluded: _named, ...found } = this.report();
    const { listed, excluded, excludedBecause, leftOut } = totals;
    return {
      asOf: isoIfKnown(asOf),
      cluster: { context, server },
      scope: reportScope(policy),
      ...{ listed, excluded, excludedBecause, ...found, leftOut },
    };
  }

  #hearVerdict(verdict: Verdict): void {
    const { namespace, name } = verdict.pod.ref;
    switch (verdict.kind) {
      case 'Candidate':
        this.#candidates++;
        this.candidates.set(verdict.pod.ref.uid, this.#withRemarks(verdict));
        break;
      case 'NeverStarted':
        this.#lists.neverStarted.push(reportWaiting(this.#withRemarks(verdict)));
        break;
      case 'NotStartedAgain':
        this.#lists.notStartedAgain.push(reportWaiting(this.#withRemarks(verdict)));
        break;
      case 'Hanging':
        this.#lists.hanging.push(reportHanging(this.#withRemarks(verdict)));
        break;
      case 'Undecided':
        this.#lists.undecided.push({ namespace, name, problem: verdict.problem });
        break;
      case 'Excluded': {
        const { remarks } = this.#lists.excluded ? this.#withRemarks(verdict) : verdict;
        if (!this.#lists.excluded) this.#remarks.addEachOnce(remarks);
        this.#leaveAlone({ namespace, name }, verdict.because, remarks);
        break;
      }
    }
  }

  #leaveAlone({ namespace, name }: PodName, because: Excluded['because'], remarks: readonly Remark[]): void {
    this.#excluded++;
    this.#excludedBecause.addEachOnce(because.slice(0, 1));
    this.#lists.excluded?.push({ namespace, name, because, remarks });
  }

  /** A verdict with its remarks, as far as there is room for them. All are counted. */
  #withRemarks<V extends Exclude<Verdict, { readonly kind: 'Undecided' }>>(verdict: V): V {
    this.#remarks.addEachOnce(verdict.remarks);
    const remarks = this.#remarkBudget.admit(verdict.pod.ref.namespace, verdict.remarks);
    return remarks.length === verdict.remarks.length ? verdict : { ...verdict, remarks };
  }

  /** Keeps equal warnings once, and merges those about unreadable Jobs into one for all namespaces. */
  #warn(warning: Warning): void {
    if (warning.kind !== 'JobsUnreadable') {
      const key = JSON.stringify(warning);
      if (this.#warnings.has(key)) return;
      for (const kept of this.#warningBudget.admit(warning.kind, [warning])) this.#warnings.set(key, kept);
      return;
    }
    const before = this.#warnings.get(warning.kind);
    const first = before?.kind === 'JobsUnreadable' ? before : warning;
    const namespaces = [...new Set([...first.namespaces, ...warning.namespaces])].sort();
    this.#warnings.set(warning.kind, { ...first, namespaces });
  }
}

function reportWaiting(verdict: NeverStarted | NotStartedAgain): WaitingPodReport {
  const { pod, sidecars, mainsEndedAt, remarks } = verdict;
  return {
    ...pod.ref,
    owner: reportOwner(pod),
    requests: pod.requests,
    mainsEndedAt: iso(mainsEndedAt),
    waiting: sidecars.flatMap(({ container: { name, image, state } }) =>
      state.kind === 'Waiting' ? [{ name, image, reason: state.reason }] : [],
    ),
    remarks,
  };
}

function reportHanging({ pod, since, hang, remarks }: Hanging): HangingPodReport {
  const { namespace, name } = pod.ref;
  const page = pageOf(hang.kind);
  return { namespace, name, owner: reportOwner(pod), since: iso(since), hang, page, remarks };
}

/**
 * What a look found, as many small objects: each says its kind and its cluster, and the last one is the
 * document without what came before.
 */
export function* lookRecords(
  found: Found & { readonly kind: string },
  kind: string,
  items: readonly object[],
): Iterable<object> {
  const { cluster, unread, undecided, neverStarted, notStartedAgain, hanging, warnings } = found;
  const groups = {
    [kind]: items,
    NeverStarted: neverStarted,
    NotStartedAgain: notStartedAgain,
    Hanging: hanging,
    Undecided: undecided,
    Unread: unread.map((problem) => ({ problem })),
    Warning: warnings.map((warning) => ({ warning })),
  };
  for (const [kind, group] of Object.entries(groups)) {
    for (const item of group) yield { kind, cluster, ...item };
  }
  const { asOf, scope, listed, leftOut, excluded, excludedBecause } = found;
  yield { kind: found.kind, cluster, scope, asOf, listed, excluded, excludedBecause, leftOut };
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
  };
}
