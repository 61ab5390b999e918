import type { JSX } from 'preact';
import { formatDuration, type Millis } from '../../util/time.ts';
import { number } from '../format.ts';
import { wordOf } from '../records/fields.ts';
import type { ContainerReport, PodReport, SweepReport } from '../schema.ts';
import { describeContainer } from '../texts/outcomes.ts';
import { Said } from './glossary.tsx';
import { Name } from './table.tsx';

type SidecarReport = Extract<ContainerReport, { readonly role: 'Sidecar' }>;

/** The steps and waits of one sidecar, on the clock of its sweep. */
interface Lane {
  readonly pod: PodReport;
  readonly sidecar: SidecarReport;
  readonly spans: readonly Span[];
  readonly end: End;
  /** From the first step to the end. */
  readonly took: Millis;
}

/** A request, or the time that the sidecar was given to end after it. */
interface Span {
  readonly kind: 'Step' | 'Wait';
  readonly from: Millis;
  readonly to: Millis;
  readonly words: string;
}

interface End {
  readonly at: Millis;
  readonly kind: 'Clean' | 'Unclean' | 'Open';
}

interface Timeline {
  readonly length: Millis;
  readonly lanes: readonly Lane[];
  /** The other sidecars, which all took less time. */
  readonly leftOut: number;
}

/** The sidecars to which a sweep sent something, those that took longest first. */
export function timelineOf({ run, pods }: SweepReport, most: number): Timeline {
  const startedAt = Date.parse(run.startedAt);
  const length = Math.max(Date.parse(run.finishedAt) - startedAt, 1);
  const lanes = pods
    .flatMap((pod) => pod.containers.flatMap((one) => laneOf(pod, one, startedAt, length)))
    .sort((a, b) => b.took - a.took);
  return { length, lanes: lanes.slice(0, most), leftOut: Math.max(lanes.length - most, 0) };
}

function laneOf(
  pod: PodReport,
  sidecar: ContainerReport,
  startedAt: Millis,
  length: Millis,
): readonly Lane[] {
  if (sidecar.role !== 'Sidecar') return [];
  const sent = sidecar.attempts.filter(({ result }) => result.kind !== 'Blocked');
  const [first] = sent;
  if (!first) return [];
  const since = (time: string) => Math.min(Math.max(Date.parse(time) - startedAt, 0), length);
  const begun = since(first.sentAt);
  // The kubelet's clock has whole seconds, so an end may seem to precede the step.
  const at = sidecar.endedAt === undefined ? length : Math.max(since(sidecar.endedAt), begun);
  const spans = sent.flatMap(({ sentAt, does, durationMs, result }, index): readonly Span[] => {
    const next = sent[index + 1];
    const from = Math.min(since(sentAt), at);
    const until = Math.max(next ? Math.min(since(next.sentAt), at) : at, from);
    const answered = Math.min(from + durationMs, until);
    const words = `${does} (${result.kind.toLowerCase()} in ${lasted(durationMs)})`;
    return [
      { kind: 'Step', from, to: answered, words },
      { kind: 'Wait', from: answered, to: until, words: `waited ${lasted(until - answered)}` },
    ];
  });
  return [{ pod, sidecar, spans, end: { at, kind: endOf(sidecar) }, took: at - begun }];
}

function endOf({ outcome }: SidecarReport): End['kind'] {
  switch (outcome.kind) {
    case 'Stopped':
    case 'AlreadyEnded':
      return outcome.exitCode === 0 ? 'Clean' : 'Unclean';
    case 'Gone':
    case 'Replaced':
      return 'Clean';
    case 'Restarted':
    case 'NotStarted':
      return 'Unclean';
    case 'StillRunning':
    case 'Skipped':
    case 'NotAttempted':
    case 'Unproven':
      return 'Open';
  }
}

function lasted(time: Millis): string {
  return time < 1_000 ? `${Math.round(time)} ms` : formatDuration(time);
}

/** What a sweep did to each sidecar, drawn and in words. */
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
        {lanes.map(({ pod, sidecar: { name, outcome }, spans, end }) => (
          <li>
            <p class="target">
              <Name of={pod} />
              <small>{name}</small>
            </p>
            <Bar spans={spans} end={end} length={length} />
            <p class="words">
              {spans.map(({ words }) => words).join(' → ')} →{' '}
              <Said word={wordOf(outcome)} text={describeContainer(outcome)} />
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

function Bar({ spans, end, length }: Pick<Lane, 'spans' | 'end'> & { readonly length: Millis }): JSX.Element {
  const share = (time: Millis) => `${((100 * time) / length).toFixed(2)}%`;
  return (
    <svg class="bar" height="18" aria-hidden="true">
      <line x1="0" x2="100%" y1="9" y2="9" class="track" />
      {spans.map(({ kind, from, to }) =>
        kind === 'Wait' ? (
          <line x1={share(from)} x2={share(to)} y1="9" y2="9" class="wait" />
        ) : (
          // The second rectangle shows a request of a millisecond, too.
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
      <path d={marks[kind].path} />
    </svg>
  );
}

/** A disc, a diamond and a cross: the shapes differ as well as the colours. */
const marks: Record<End['kind'], { readonly path: string; readonly means: string }> = {
  Clean: { path: 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z', means: 'ended' },
  Unclean: { path: 'M0 -6L6 0L0 6L-6 0Z', means: 'ended with a code other than 0, or restarted' },
  Open: { path: 'M-5 -5L5 5M5 -5L-5 5', means: 'still running, or unknown' },
};

export function Legend(): JSX.Element {
  const items: readonly (readonly [JSX.Element, string])[] = [
    [<rect x="6" y="2" width="14" height="14" class="step" />, 'a step'],
    [<line x1="0" x2="26" y1="9" y2="9" class="wait" />, 'waiting for the sidecar to end'],
    ...(['Clean', 'Unclean', 'Open'] as const).map(
      (kind) => [<Mark at="50%" kind={kind} />, marks[kind].means] as const,
    ),
  ];
  return (
    <ul class="legend soft">
      {items.map(([drawing, means]) => (
        <li>
          <svg class="bar" width="26" height="18" aria-hidden="true">
            {drawing}
          </svg>
          {means}
        </li>
      ))}
    </ul>
  );
}
