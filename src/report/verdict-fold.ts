import type { Candidate, Excluded, MalformedPod, NeverStarted, Verdict } from '../vocabulary.ts';
import type { SweepReport } from './schema.ts';

type Counts = Record<string, number>;

/** What a report says of verdicts alone. */
type Judged = Pick<SweepReport, 'undecided' | 'excluded' | 'neverStarted'> & {
  readonly totals: Pick<
    SweepReport['totals'],
    'excluded' | 'excludedBecause' | 'undecided' | 'neverStarted' | 'candidates' | 'remarks'
  >;
};

/** Counts verdicts by reason; keeps the pods that were left alone only when they are to be named. */
export class VerdictFold {
  readonly candidates: Candidate[] = [];
  #excluded = 0;
  readonly #excludedBecause: Map<string, number> = new Map();
  readonly #remarks: Map<string, number> = new Map();
  readonly #undecided: MalformedPod[] = [];
  readonly #neverStarted: NeverStarted[] = [];
  readonly #named: Excluded[] | undefined;

  constructor({ verbose }: { readonly verbose: boolean }) {
    this.#named = verbose ? [] : undefined;
  }

  hearMalformed(pods: readonly MalformedPod[]): void {
    this.#undecided.push(...pods);
  }

  hear(verdict: Verdict): void {
    switch (verdict.kind) {
      case 'Candidate':
        this.candidates.push(verdict);
        addKinds(this.#remarks, verdict.remarks);
        break;
      case 'NeverStarted':
        this.#neverStarted.push(verdict);
        addKinds(this.#remarks, verdict.remarks);
        break;
      case 'Undecided': {
        const { namespace, name } = verdict.pod.ref;
        this.#undecided.push({ namespace, name, problem: verdict.problem });
        break;
      }
      case 'Excluded':
        this.#excluded++;
        addKinds(this.#excludedBecause, verdict.because);
        addKinds(this.#remarks, verdict.remarks);
        this.#named?.push(verdict);
        break;
    }
  }

  report(): Judged {
    return {
      totals: {
        excluded: this.#excluded,
        excludedBecause: sorted(this.#excludedBecause),
        undecided: this.#undecided.length,
        neverStarted: this.#neverStarted.length,
        candidates: this.candidates.length,
        remarks: sorted(this.#remarks),
      },
      undecided: this.#undecided,
      ...(this.#named && { excluded: this.#named.map(reportExcluded) }),
      neverStarted: this.#neverStarted.map(reportNeverStarted),
    };
  }
}

/** A pod counts once for every kind, however often it shows it. */
function addKinds(counts: Map<string, number>, found: readonly { readonly kind: string }[]): void {
  for (const kind of new Set(found.map((one) => one.kind))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

function reportExcluded({ pod, because, remarks }: Excluded): NonNullable<SweepReport['excluded']>[number] {
  return { namespace: pod.ref.namespace, name: pod.ref.name, because, remarks };
}

function reportNeverStarted(stuck: NeverStarted): SweepReport['neverStarted'][number] {
  const { pod, sidecars, mainsEndedAt, remarks } = stuck;
  return {
    namespace: pod.ref.namespace,
    name: pod.ref.name,
    mainsEndedAt: new Date(mainsEndedAt).toISOString(),
    waiting: sidecars.flatMap(({ container: { name, image, state } }) =>
      state.kind === 'Waiting' ? [{ name, image, reason: state.reason }] : [],
    ),
    remarks,
  };
}

function sorted(counts: ReadonlyMap<string, number>): Counts {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
