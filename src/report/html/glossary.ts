import { harmKind } from '../../model/job.ts';
import {
  containerOutcome,
  heldReason,
  notAttemptedReason,
  podOutcome,
  skipReason,
  stillRunningBecause,
} from '../../model/outcome.ts';
import { exclusion, hang } from '../../model/verdict.ts';
import { describeContainer, describeHarm } from '../texts/outcomes.ts';
import { describeHeld, pageOf } from '../texts/reasons.ts';

/** What a word of the report means. Its `id` is where the page explains it. */
interface Explanation {
  readonly id: string;
  readonly word: string;
  readonly means: string;
  /** The page of the documentation that says what to do. */
  readonly page?: string;
}

/** A word of a report, as the outcome and its reason. */
export interface Word {
  readonly outcome: string;
  readonly reason?: string | undefined;
}

export interface Chapter {
  readonly title: string;
  readonly entries: readonly Explanation[];
}

/** A schema whose members are told apart by their `kind`, each with its description. */
interface Kinds<Kind extends string> {
  readonly options: readonly {
    readonly description?: string | undefined;
    readonly shape: { readonly kind: { readonly value: Kind } };
  }[];
}

/** Everything that the page can link to. */
export const chapters: readonly Chapter[] = [
  {
    title: 'Why a pod is left alone',
    entries: kindsOf(exclusion, 'Excluded').map((entry) => ({
      ...entry,
      page: pageOf(entry.word),
    })),
  },
  {
    title: 'Stuck, with nothing to end',
    entries: [
      {
        ...entry({ outcome: 'NeverStarted' }),
        means: 'its mains have ended, and a sidecar never started: there is no process to signal',
        page: pageOf('NeverStarted'),
      },
      {
        ...entry({ outcome: 'NotStartedAgain' }),
        means: 'its mains have ended, and a sidecar that ended cannot start again',
        page: pageOf('NotStartedAgain'),
      },
      {
        ...entry({ outcome: 'Undecided' }),
        means: "the pod's own data is inconsistent, so nothing was sent to it",
        page: pageOf('Undecided'),
      },
    ],
  },
  {
    title: 'What else a pod hangs on',
    entries: kindsOf(hang, 'Hanging').map((entry) => ({
      ...entry,
      page: pageOf(entry.word),
    })),
  },
  { title: 'What became of a pod', entries: kindsOf(podOutcome) },
  {
    title: 'What became of a sidecar',
    entries: kindsOf(containerOutcome).filter(
      ({ word }) => !podOutcome.options.some(({ shape }) => shape.kind.value === word),
    ),
  },
  {
    title: 'Why a sidecar is still running',
    entries: kindsOf(stillRunningBecause, 'StillRunning'),
  },
  {
    title: 'Why a step was held',
    entries: heldReason.options.map((reason) => ({
      ...entry({ outcome: 'Held', reason }),
      means: describeHeld(reason),
      page: 'docs/unclean-exits.md',
    })),
  },
  { title: 'Why nothing was sent', entries: kindsOf(skipReason, 'Skipped') },
  {
    title: 'Why the sweep did not act',
    entries: notAttemptedReason.options.map((reason) => ({
      ...entry({ outcome: 'NotAttempted', reason }),
      means: describeContainer({ kind: 'NotAttempted', reason }),
    })),
  },
  {
    title: 'Harm to finished work',
    entries: harmKind.options.map((reason) => ({
      ...entry({ outcome: 'Harm', reason }),
      means: `the work was done, but by an act of the sweep: ${describeHarm(reason)}`,
      page: 'docs/unclean-exits.md',
    })),
  },
];

const ids: ReadonlySet<string> = new Set(chapters.flatMap(({ entries }) => entries.map(({ id }) => id)));

/** Where the page explains a word: its reason, or at least its outcome; undefined if it knows neither. */
export function explainedAt({ outcome, reason }: Word): string | undefined {
  return [idOf({ outcome, reason }), idOf({ outcome })].find((id) => ids.has(id));
}

function kindsOf<Kind extends string>(
  union: Kinds<Kind>,
  outcome?: string,
): readonly (Explanation & { readonly word: Kind })[] {
  return union.options.map(({ shape, description }) => {
    const kind = shape.kind.value;
    const word = outcome === undefined ? { outcome: kind } : { outcome, reason: kind };
    return { id: idOf(word), word: kind, means: description ?? '' };
  });
}

function entry(word: Word): Pick<Explanation, 'id' | 'word'> {
  return { id: idOf(word), word: word.reason ?? word.outcome };
}

function idOf({ outcome, reason }: Word): string {
  return reason === undefined ? `means-${outcome}` : `means-${outcome}-${reason}`;
}
