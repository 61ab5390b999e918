import type { JSX } from 'preact';
import { formatDuration, type Millis } from '../../util/time.ts';
import { many, minuteOf, number } from '../format.ts';
import { wordOf } from '../records/fields.ts';
import type { PodReport, SweepReport } from '../schema.ts';
import { type SidecarReport, sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, harms } from '../texts/outcomes.ts';
import type { PageReport } from './lists.ts';

interface Lane {
  readonly pod: PodReport;
  readonly sidecar: SidecarReport;
  readonly spans: readonly Span[];
  readonly end: End;
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
  readonly leftOut: number;
}

/** How many sweeps are drawn, and of each the slowest sidecars, examples of each kind, and sidecars in all. */
const most = { sweeps: 10, slow: 8, examples: 2, lanes: 30 };

/** The sidecars to which a sweep sent something: those that were harmed, the slowest, then examples of each kind. */
export function timelineOf({ run, pods }: SweepReport): Timeline {
  const startedAt = Date.parse(run.startedAt);
  const length = Math.max(Date.parse(run.finishedAt) - startedAt, 1);
  const all = pods
    .flatMap((pod) => sidecarsOf(pod).flatMap((sidecar) => laneOf(pod, sidecar, startedAt, length)))
    .sort((a, b) => b.took - a.took);
  const kinds = new Map<string, number>();
  const examples = all.filter(({ sidecar }) => {
    const kind = JSON.stringify([sidecar.name, sidecar.image, wordOf(sidecar.outcome)]);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    return (kinds.get(kind) ?? 0) <= most.examples;
  });
  const harmed = all.filter(({ pod }) => pod.harm);
  const lanes = [...new Set([...harmed, ...all.slice(0, most.slow), ...examples])].slice(0, most.lanes);
  return { length, lanes, leftOut: all.length - lanes.length };
}

/** Nothing was sent to an immune sidecar, whatever was tried. */
function laneOf(pod: PodReport, sidecar: SidecarReport, startedAt: Millis, length: Millis): readonly Lane[] {
  const { outcome, endedAt, attempts } = sidecar;
  const isImmune = outcome.kind === 'StillRunning' && outcome.because.kind === 'Immune';
  const sent = attempts.filter(({ result }) => result.kind !== 'Blocked');
  const [first] = sent;
  if (!first || isImmune) return [];
  const since = (time: string) => Math.min(Math.max(Date.parse(time) - startedAt, 0), length);
  const begun = since(first.sentAt);
  // The kubelet's clock has whole seconds, so an end may seem to precede the step.
  const at = endedAt === undefined ? length : Math.max(since(endedAt), begun);
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

interface Drawn {
  readonly report: PageReport;
  readonly timeline: Timeline;
}

export function timelinesOf(reports: readonly PageReport[]): readonly Drawn[] {
  return reports
    .map((report) => ({ report, timeline: timelineOf(report) }))
    .filter(({ timeline }) => timeline.lanes.length > 0);
}

export function Timelines({ all }: { readonly all: readonly Drawn[] }): JSX.Element {
  return (
    <>
      <Legend />
      {all.slice(0, most.sweeps).map(({ report: { run, cluster, totals }, timeline }, index) => (
        <details open={index === 0}>
          <summary>
            {minuteOf(run.startedAt)} {cluster.name}: {many(totals.candidates, 'stuck pod')}
          </summary>
          <Lanes timeline={timeline} />
        </details>
      ))}
      {all.length > most.sweeps && (
        <p class="soft">{many(all.length - most.sweeps, 'earlier sweep')} acted as well and are not drawn.</p>
      )}
    </>
  );
}

function Lanes({ timeline: { lanes, leftOut, length } }: { readonly timeline: Timeline }): JSX.Element {
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
              <span class="place">{pod.namespace}/</span>
              {pod.name}
              <small>{name}</small>
            </p>
            <Bar spans={spans} end={end} length={length} />
            <p class="words">
              {pod.harm && (
                <b class="harmed">
                  {pod.owner?.kind ?? 'Pod'} {harms[pod.harm.kind]}:{' '}
                </b>
              )}
              {spans.map(({ words }) => words).join(' → ')} → {describeContainer(outcome)}
            </p>
          </li>
        ))}
      </ol>
      {leftOut > 0 && (
        <p class="soft">
          These are those that were harmed, the slowest and examples of each kind; {number(leftOut)} more are
          not drawn.
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

function Legend(): JSX.Element {
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
