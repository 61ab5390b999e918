import { groupsOf } from '../../util/groups.ts';
import { spelledOut } from '../../util/text.ts';
import { formatDuration, type Millis } from '../../util/time.ts';
import { many, minuteOf, number } from '../format.ts';
import type { Swept } from '../history/sweeps.ts';
import { wordOf } from '../records/fields.ts';
import type { PodReport, SweepReport } from '../schema.ts';
import { type SidecarReport, sidecarsOf } from '../sweep/planned.ts';
import { lookOf } from '../sweep/view.ts';
import { describeContainer, describeHarm } from '../texts/outcomes.ts';

type Lane = ReturnType<typeof laneOf>[number];

interface Span {
  readonly kind: 'Step' | 'Wait';
  readonly from: Millis;
  readonly to: Millis;
  readonly words: string;
}

/** How many sweeps are drawn, and of each the slowest sidecars, examples of each kind, and sidecars in all. */
const most = { sweeps: 10, slow: 8, examples: 2, lanes: 30 };

/** The sidecars to which a sweep sent something: those that were harmed, the slowest, then examples of each kind. */
export function timelineOf({ run, pods }: SweepReport) {
  const startedAt = Date.parse(run.startedAt);
  const length = Math.max(Date.parse(run.finishedAt) - startedAt, 1);
  const all = pods
    .flatMap((pod) => sidecarsOf(pod).flatMap((sidecar) => laneOf(pod, sidecar, startedAt, length)))
    .sort((a, b) => b.took - a.took);
  const kindOf = ({ sidecar: { name, image, outcome } }: Lane) =>
    JSON.stringify([name, image, wordOf(outcome)]);
  const examples = groupsOf(all, kindOf).flatMap((alike) => alike.slice(0, most.examples));
  const harmed = all.filter(({ pod }) => pod.harm);
  const lanes = [...new Set([...harmed, ...all.slice(0, most.slow), ...examples])].slice(0, most.lanes);
  return { length, lanes, leftOut: all.length - lanes.length };
}

/** An immune sidecar has no lane: nothing reached it. */
function laneOf(pod: PodReport, sidecar: SidecarReport, startedAt: Millis, length: Millis) {
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
    const words = `${does} (${spelledOut(result.kind)} in ${lasted(durationMs)})`;
    return [
      { kind: 'Step', from, to: answered, words },
      { kind: 'Wait', from: answered, to: until, words: `waited ${lasted(until - answered)}` },
    ];
  });
  return [{ pod, sidecar, spans, end: { at, look: lookOf(outcome) }, took: at - begun }];
}

function lasted(time: Millis): string {
  return time < 1_000 ? `${Math.round(time)} ms` : formatDuration(time);
}

type Timeline = ReturnType<typeof timelineOf>;
type Drawn = Timeline & Swept;

export function timelinesOf(swept: readonly Swept[]): readonly Drawn[] {
  return swept.map((one) => ({ ...one, ...timelineOf(one.report) })).filter(({ lanes }) => lanes.length > 0);
}

export function Timelines({ all }: { readonly all: readonly Drawn[] }) {
  return (
    <>
      <Legend />
      {all.slice(0, most.sweeps).map(({ report: { run, totals }, cluster, ...timeline }, index) => (
        <details open={index === 0}>
          <summary>
            {minuteOf(run.startedAt)} {cluster.name}: {many(totals.candidates, 'stuck pod')}
          </summary>
          <Lanes {...timeline} />
        </details>
      ))}
      {all.length > most.sweeps && (
        <p class="soft">{many(all.length - most.sweeps, 'earlier sweep')} acted as well and are not drawn.</p>
      )}
    </>
  );
}

function Lanes({ lanes, leftOut, length }: Timeline) {
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
              <span class="place">{lane.pod.namespace}/</span>
              {lane.pod.name}
              <small>{lane.sidecar.name}</small>
            </p>
            <Bar {...lane} length={length} />
            <p class="words">
              {lane.pod.harm && (
                <b class="harmed">
                  {lane.pod.harm.kind === 'PodFailed' ? 'Pod' : 'Job'} {describeHarm(lane.pod.harm)}:{' '}
                </b>
              )}
              {[...lane.spans.map(({ words }) => words), describeContainer(lane.sidecar.outcome)].join(' → ')}
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

function Bar({ spans, end, length }: Lane & { readonly length: Millis }) {
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
      <text x={share(end.at)} y="10" class={end.look}>
        {marks[end.look]}
      </text>
    </svg>
  );
}

/** The shapes differ as well as the colours. */
const marks: Record<ReturnType<typeof lookOf>, string> = { green: '●', yellow: '◆', red: '✕' };

const legend = [
  ['accent', '■', 'a step'],
  ['accent', '┅', 'waiting for the sidecar to end'],
  ['green', marks.green, 'ended'],
  ['yellow', marks.yellow, 'ended with a code other than 0, blocked or skipped'],
  ['red', marks.red, 'still running, restarted, or unknown'],
] as const;

function Legend() {
  return (
    <ul class="legend soft">
      {legend.map(([look, mark, means]) => (
        <li>
          <b class={look} aria-hidden="true">
            {mark}
          </b>
          {means}
        </li>
      ))}
    </ul>
  );
}
