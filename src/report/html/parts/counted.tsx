import type { JSX } from 'preact';
import { number } from '../../amounts.ts';
import type { Counts } from '../../counts.ts';
import { Said } from './word.tsx';

/** `3 Held, 2 Stopped`, each word linked to what it means, and never on another line than its number. */
export function Counted({
  counts,
  of,
  parts = {},
}: {
  readonly counts: Counts;
  /** The outcome that these are reasons of, if they are no outcomes. */
  readonly of?: string;
  /** What one of the outcomes is made of. */
  readonly parts?: Readonly<Record<string, Counts>>;
}): JSX.Element {
  return (
    <>
      {Object.entries(counts).map(([kind, times], index) => {
        const made = parts[kind];
        const word = of === undefined ? { outcome: kind } : { outcome: of, reason: kind };
        return (
          <>
            {index > 0 && ', '}
            {number(times)}
            {'\u00a0'}
            <Said word={word} text={kind} />
            {made && (
              <>
                {' '}
                (<Counted counts={made} of={kind} />)
              </>
            )}
          </>
        );
      })}
    </>
  );
}
