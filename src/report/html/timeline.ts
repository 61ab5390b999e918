import type { Millis } from '../../duration.ts';
import type { AttemptReport, ContainerReport, PodReport, SweepReport } from '../schema.ts';
import { describeContainer } from '../texts/outcomes.ts';
import { lasted } from './amounts.ts';
import { explainedAt } from './glossary.ts';
import { wordOf } from './word.ts';

type SidecarReport = Extract<ContainerReport, { readonly role: 'Sidecar' }>;

/** What was done to one sidecar, and what it waited for, on the clock of its sweep. */
export interface Lane {
  readonly pod: PodReport;
  readonly container: string;
  readonly spans: readonly Span[];
  readonly end: End;
  /** From the first step to the end. */
  readonly took: Millis;
  readonly outcome: string;
  readonly explainedAt: string | undefined;
}

/** A step while its request was under way, or the time that the sidecar was given to end by it. */
interface Span {
  readonly kind: 'Step' | 'Wait';
  readonly from: Millis;
  readonly to: Millis;
  readonly words: string;
}

export interface End {
  readonly at: Millis;
  readonly kind: 'Clean' | 'Unclean' | 'Open';
}

export interface Timeline {
  readonly length: Millis;
  readonly lanes: readonly Lane[];
  /** How many more targets there are, which all took less time. */
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

/** Whether a sweep sent anything. */
export function hasActed({ pods }: SweepReport): boolean {
  return pods.some(({ containers }) =>
    containers.some((one) => one.role === 'Sidecar' && sentTo(one).length > 0),
  );
}

function sentTo({ attempts }: SidecarReport): readonly AttemptReport[] {
  return attempts.filter(({ result }) => result.kind !== 'Held');
}

function laneOf(
  pod: PodReport,
  container: ContainerReport,
  startedAt: Millis,
  length: Millis,
): readonly Lane[] {
  if (container.role !== 'Sidecar') return [];
  const sent = sentTo(container);
  const [first] = sent;
  if (!first) return [];
  const since = (time: string) => Math.min(Math.max(Date.parse(time) - startedAt, 0), length);
  const begun = since(first.sentAt);
  const end = endOf(container, (time) => Math.max(since(time), begun), length);
  const spans = sent.flatMap((attempt, index): readonly Span[] => {
    const next = sent[index + 1];
    const from = Math.min(since(attempt.sentAt), end.at);
    const until = Math.max(next ? Math.min(since(next.sentAt), end.at) : end.at, from);
    const answered = Math.min(from + attempt.durationMs, until);
    return [
      { kind: 'Step', from, to: answered, words: stepOf(attempt) },
      { kind: 'Wait', from: answered, to: until, words: `waited ${lasted(until - answered)}` },
    ];
  });
  const { outcome, name } = container;
  return [
    {
      pod,
      container: name,
      spans,
      end,
      took: end.at - begun,
      outcome: describeContainer(outcome),
      explainedAt: explainedAt(wordOf(outcome)),
    },
  ];
}

/** The kubelet's clock counts whole seconds, so that an end may seem to come before the step. */
function endOf({ outcome, endedAt }: SidecarReport, since: (time: string) => Millis, length: Millis): End {
  const at = endedAt === undefined ? length : since(endedAt);
  switch (outcome.kind) {
    case 'Stopped':
    case 'AlreadyEnded':
      return { at, kind: outcome.exitCode === 0 ? 'Clean' : 'Unclean' };
    case 'Gone':
    case 'Replaced':
      return { at, kind: 'Clean' };
    case 'Restarted':
    case 'NotStarted':
      return { at, kind: 'Unclean' };
    case 'StillRunning':
    case 'Skipped':
    case 'NotAttempted':
    case 'Unproven':
      return { at, kind: 'Open' };
  }
}

function stepOf({ does, durationMs, result }: AttemptReport): string {
  return `${does} (${result.kind.toLowerCase()} in ${lasted(durationMs)})`;
}
