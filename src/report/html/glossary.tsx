import type { ComponentChild, JSX } from 'preact';
import { harmKind } from '../../model/job.ts';
import {
  blockedReason,
  containerOutcome,
  notAttemptedReason,
  podOutcome,
  skipReason,
  stillRunningBecause,
} from '../../model/outcome.ts';
import { exclusion, hang } from '../../model/verdict.ts';
import type { Word } from '../records/fields.ts';
import { describeContainer, describeHarm } from '../texts/outcomes.ts';
import { describeBlocked, pageOf } from '../texts/reasons.ts';
import { Prose } from './table.tsx';

interface Entry {
  /** Its anchor on the page. */
  readonly id: string;
  readonly word: string;
  readonly means: string;
  /** The page of the documentation that says what to do. */
  readonly page?: string;
}

/** A schema whose members are told apart by their `kind`, each with its description. */
interface Kinds<Kind> {
  readonly options: readonly {
    readonly description?: string | undefined;
    readonly shape: { readonly kind: { readonly value: Kind } };
  }[];
}

const unclean = 'explain --reason Blocked';
const outcomesOfPods = ofKinds(podOutcome);

/** Every word that the page can link to. */
export const chapters: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  { title: 'Why a pod is left alone', entries: ofKinds(exclusion, 'Excluded', pageOf) },
  {
    title: 'Stuck, with nothing to end',
    entries: (
      [
        ['NeverStarted', 'its mains have ended, and a sidecar never started: there is no process to signal'],
        ['NotStartedAgain', 'its mains have ended, and a sidecar that ended cannot start again'],
        ['Undecided', "the pod's own data is inconsistent, so nothing was sent to it"],
      ] as const
    ).map(([word, means]) => ({ id: idOf({ outcome: word }), word, means, page: pageOf(word) })),
  },
  { title: 'What else a pod hangs on', entries: ofKinds(hang, 'Hanging', pageOf) },
  { title: 'What became of a pod', entries: outcomesOfPods },
  {
    title: 'What became of a sidecar',
    entries: ofKinds(containerOutcome).filter(({ id }) => !outcomesOfPods.some((pod) => pod.id === id)),
  },
  { title: 'Why a sidecar is still running', entries: ofKinds(stillRunningBecause, 'StillRunning') },
  {
    title: 'Why a step was blocked',
    entries: ofReasons('Blocked', blockedReason.options, describeBlocked, unclean),
  },
  { title: 'Why nothing was sent', entries: ofKinds(skipReason, 'Skipped') },
  {
    title: 'Why the sweep did not act',
    entries: ofReasons('NotAttempted', notAttemptedReason.options, (reason) =>
      describeContainer({ kind: 'NotAttempted', reason }),
    ),
  },
  {
    title: 'Harm to finished work',
    entries: ofReasons(
      'Harm',
      harmKind.options,
      (kind) => `the work was done, but by an act of the sweep: ${describeHarm(kind)}`,
      unclean,
    ),
  },
];

const ids: ReadonlySet<string> = new Set(chapters.flatMap(({ entries }) => entries.map(({ id }) => id)));

/** The anchor of a reason, or at least of its outcome; undefined if the page knows neither. */
export function explainedAt({ outcome, reason }: Word): string | undefined {
  return [idOf({ outcome, reason }), idOf({ outcome })].find((id) => ids.has(id));
}

/** A text that links to what its word means. */
export function Said({ word, text }: { readonly word: Word; readonly text: string }): ComponentChild {
  const id = explainedAt(word);
  return id === undefined ? text : <a href={`#${id}`}>{text}</a>;
}

/** What every word means; the links of the page lead here. */
export function Glossary(): JSX.Element {
  return (
    <section aria-labelledby="words">
      <h2 id="words">What the words mean</h2>
      {chapters.map(({ title, entries }) => (
        <div class="chapter">
          <h3>{title}</h3>
          <dl>
            {entries.map(({ id, word, means, page }) => (
              <div id={id}>
                <dt>{word}</dt>
                <dd>
                  <Prose text={means} />
                  {page !== undefined && (
                    <span class="soft">
                      {' '}
                      (<code>{page}</code>)
                    </span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </section>
  );
}

/** The kinds of a union: outcomes or, with an outcome, its reasons. */
function ofKinds<Kind extends string>(
  union: Kinds<Kind>,
  outcome?: string,
  page?: (word: Kind) => string,
): readonly Entry[] {
  return union.options.map(({ shape, description: means = '' }) => {
    const word = shape.kind.value;
    const id = idOf(outcome === undefined ? { outcome: word } : { outcome, reason: word });
    return { id, word, means, ...(page && { page: page(word) }) };
  });
}

function ofReasons<Reason extends string>(
  outcome: string,
  reasons: readonly Reason[],
  describe: (reason: Reason) => string,
  page?: string,
): readonly Entry[] {
  return reasons.map((reason) => ({
    id: idOf({ outcome, reason }),
    word: reason,
    means: describe(reason),
    ...(page !== undefined && { page }),
  }));
}

function idOf({ outcome, reason }: Word): string {
  return reason === undefined ? `means-${outcome}` : `means-${outcome}-${reason}`;
}
