import type { JSX } from 'preact';
import { formatDuration } from '../../../duration.ts';
import { number } from '../../amounts.ts';
import type { End, Lane, Timeline } from '../timeline.ts';
import { Name } from './name.tsx';

/** What a sweep did to each sidecar: its steps and waits, drawn on the clock of the sweep and in words. */
export function Lanes({ timeline }: { readonly timeline: Timeline }): JSX.Element {
  const { lanes, leftOut, length } = timeline;
  return (
    <>
      <ol class="lanes">
        <li class="clock" aria-hidden="true">
          <p>
            <span>0s</span>
            <span>{formatDuration(length / 2)}</span>
            <span>{formatDuration(length)}</span>
          </p>
        </li>
        {lanes.map((lane) => (
          <li>
            <p class="target">
              <Name of={lane.pod} />
              <small>{lane.container}</small>
            </p>
            <Bar lane={lane} length={length} />
            <p class="words">
              {lane.spans.map(({ words }) => words).join(' → ')} →{' '}
              {lane.explainedAt === undefined ? (
                lane.outcome
              ) : (
                <a href={`#${lane.explainedAt}`}>{lane.outcome}</a>
              )}
            </p>
          </li>
        ))}
      </ol>
      {leftOut > 0 && (
        <p class="soft">
          These are the {number(lanes.length)} that took longest; {number(leftOut)} more took at most{' '}
          {formatDuration(lanes.at(-1)?.took ?? 0)}.
        </p>
      )}
    </>
  );
}

function Bar({
  lane: { spans, end },
  length,
}: {
  readonly lane: Lane;
  readonly length: number;
}): JSX.Element {
  const share = (time: number) => `${((100 * time) / length).toFixed(2)}%`;
  return (
    <svg class="bar" height="18" aria-hidden="true">
      <line x1="0" x2="100%" y1="9" y2="9" class="track" />
      {spans.map(({ kind, from, to }) =>
        kind === 'Wait' ? (
          <line x1={share(from)} x2={share(to)} y1="9" y2="9" class="wait" />
        ) : (
          // A request of a millisecond must be seen as well.
          <>
            <rect x={share(from)} y="2" width={share(to - from)} height="14" class="step" />
            <rect x={share(from)} y="2" width="3" height="14" class="step" />
          </>
        ),
      )}
      <Mark at={share(end.at)} kind={end.kind} />
    </svg>
  );
}

function Mark({ at, kind }: { readonly at: string; readonly kind: End['kind'] }): JSX.Element {
  return (
    <svg x={at} y="9" overflow="visible" class={kind.toLowerCase()} aria-hidden="true">
      <path d={marks[kind]} />
    </svg>
  );
}

/** A disc, a diamond and a cross: colour is not all that tells them apart. */
const marks: Record<End['kind'], string> = {
  Clean: 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z',
  Unclean: 'M0 -6L6 0L0 6L-6 0Z',
  Open: 'M-5 -5L5 5M5 -5L-5 5',
};

/** What the marks mean. */
export function Legend(): JSX.Element {
  return (
    <ul class="legend soft">
      <li>
        <svg class="bar" width="26" height="18" aria-hidden="true">
          <rect x="6" y="2" width="14" height="14" class="step" />
        </svg>
        a step
      </li>
      <li>
        <svg class="bar" width="26" height="18" aria-hidden="true">
          <line x1="0" x2="26" y1="9" y2="9" class="wait" />
        </svg>
        waiting for it to end
      </li>
      {(['Clean', 'Unclean', 'Open'] as const).map((kind) => (
        <li>
          <svg class="bar" width="26" height="18" aria-hidden="true">
            <Mark at="50%" kind={kind} />
          </svg>
          {endings[kind]}
        </li>
      ))}
    </ul>
  );
}

const endings: Record<End['kind'], string> = {
  Clean: 'ended',
  Unclean: 'ended with a code other than 0, or restarted',
  Open: 'still running, or unknown',
};
