import type { ContainerOutcome } from '../../model/outcome.ts';
import { countKinds, groupsOf } from '../../util/groups.ts';
import { printable } from '../../util/text.ts';
import { formatDuration } from '../../util/time.ts';
import type { Cell } from '../columns.ts';
import { isResolved } from '../exit-code.ts';
import { many, number, requestsOf, reserved } from '../format.ts';
import { describeFound, notesOnFound, notesOnLeft } from '../found.ts';
import { type Extent, namesOf, stuckTable, worst } from '../groups.ts';
import { kindOf } from '../records/fields.ts';
import type { ExcludedPodReport, PodReport, SweepReport } from '../schema.ts';
import { describeUnended } from '../texts/advice.ts';
import { describeContainer, describeHarm, describeJob, describePod, stops } from '../texts/outcomes.ts';
import { describeExclusion } from '../texts/reasons.ts';
import { whyBlocked } from '../texts/steps.ts';
import { type Block, notes, sentence, type View } from '../view.ts';
import {
  describeLeft,
  hasFailed,
  isLeftForNext,
  plannedBlocks,
  type SidecarReport,
  sidecarsOf,
} from './planned.ts';

export function sweepView(report: SweepReport, extent: Extent): View {
  const nothing = whyNothing(report, extent);
  if (nothing !== undefined) return { sections: [[sentence(nothing)]] };
  const blocks = report.run.dryRun ? plannedBlocks(report, extent) : [happened(report, extent)];
  const [harm, ...result] = resultOf(report, extent);
  return {
    sections: [
      blocks,
      notesOn(report, extent),
      [notes(harm ?? [], 'red'), { kind: 'Sentences', texts: result.flat() }],
    ],
  };
}

/** Why nothing was sent, if the user stopped the sweep before: what was planned has just been shown. */
function whyNothing({ pods, run, unread }: SweepReport, { width }: Extent): string | undefined {
  const { stoppedEarly } = run;
  if (stoppedEarly === undefined || width === undefined || unread.length > 0) return undefined;
  const isUntouched = pods.every(({ outcome }) => outcome.kind === 'NotAttempted');
  return isUntouched ? `Nothing was sent: ${stops[stoppedEarly]}.` : undefined;
}

export function notesOn(report: SweepReport, extent: Extent): readonly Block[] {
  const { excluded } = report;
  return [
    notes(notesOnFound(report, extent), 'yellow'),
    notes([
      ...(excluded ?? []).map(describeExcluded),
      ...notesOnLeft(report, excluded ? 'explain NAMESPACE/POD says more' : 'sweep -v lists them'),
    ]),
  ];
}

function describeExcluded({ namespace, name, because }: ExcludedPodReport): string {
  const reasons = because.map((reason) => `${describeExclusion(reason)} (${reason.kind})`);
  return `left alone: ${namespace}/${name}: ${reasons.join('; ')}`;
}

function happened({ pods, asOf }: SweepReport, extent: Extent): Block {
  const shown = extent.wide ? pods : pods.filter((pod) => !isLeftForNext(pod));
  const rows = shown.flatMap((pod) =>
    sidecarsOf(pod).map((sidecar) => {
      const { name, image, outcome, advice } = sidecar;
      const look = lookOf(outcome);
      const { text } = describeOutcome(pod, sidecar);
      // The sentence with the advice has the reason.
      const isSaid = advice !== undefined && look !== 'green' && !extent.wide;
      return {
        pod,
        name,
        image,
        what: { look, text: isSaid ? text.replace(/: .*/, '') : text },
        after: now(pod),
        kind: kindOf(outcome),
      };
    }),
  );
  return stuckTable(rows, { what: 'OUTCOME', after: 'NOW' }, asOf, extent);
}

function describeOutcome(pod: PodReport, { outcome, attempts, steps }: SidecarReport) {
  const isBlocked = outcome.kind === 'StillRunning' && outcome.because.kind === 'Blocked';
  const held =
    attempts.find(({ result }) => result.kind === 'Blocked') ?? steps.find(({ blocked }) => blocked);
  const text = isBlocked
    ? `blocked: ${whyBlocked(outcome.because.reason, pod, held)}`
    : describeContainer(outcome);
  return { text, kind: isBlocked ? text : kindOf(outcome) };
}

/** The state of its Job or, without one, of the pod. */
function now({ outcome, harm, containers }: PodReport): Cell {
  const job = 'job' in outcome ? describeJob(outcome.job) : '';
  if (harm) return { look: 'red', text: job === '' ? describePod(outcome) : `Job ${job}` };
  if (outcome.kind === 'Blocked' || outcome.kind === 'NotAttempted') return describePod({ kind: 'Stuck' });
  if (job === '') return describePod(outcome);
  return `Job ${job}${hasFailed({ containers }) ? ', main failed' : ''}`;
}

/** Green for a clean end, yellow for a sidecar that was blocked or left, red for one that needs a look. */
export function lookOf(outcome: ContainerOutcome): 'green' | 'yellow' | 'red' {
  switch (outcome.kind) {
    case 'Stopped':
    case 'AlreadyEnded':
      return outcome.exitCode === 0 ? 'green' : 'yellow';
    case 'Gone':
    case 'Replaced':
      return 'green';
    case 'Skipped':
    case 'NotAttempted':
      return 'yellow';
    case 'StillRunning':
      return outcome.because.kind === 'Blocked' ? 'yellow' : 'red';
    case 'Restarted':
    case 'NotStarted':
    case 'Unproven':
      return 'red';
  }
}

/** The result in sentences: harm, what ended, what did not and how to end it, what is left, and how much there was. */
function resultOf(report: SweepReport, extent: Extent): readonly (readonly string[])[] {
  const { pods, neverStarted, notStartedAgain, run, totals } = report;
  // A log may lack records of pods.
  const stuck = Math.max(pods.length, totals.candidates) + neverStarted.length + notStartedAgain.length;
  const how = run.dryRun
    ? ' (dry run: nothing was sent)'
    : run.stoppedEarly
      ? ` (stopped early: ${stops[run.stoppedEarly]})`
      : '';
  return [
    describeHarms(pods, extent),
    describeEnded(pods),
    run.dryRun ? [] : describeRest(pods, extent),
    run.dryRun ? [] : describeLeft(pods),
    [`${describeFound(report, stuck)} It took ${formatDuration(run.durationMs)}${how}.`],
  ];
}

export function describeResult(report: SweepReport): string {
  const sentences = resultOf(report, { wide: false }).flat();
  return sentences.map((text) => (text.endsWith('.') ? text : `${text}.`)).join(' ');
}

/** `2 pods with finished work whose Job runs again, because of this sweep: jobs/a, jobs/b`. */
function describeHarms(pods: readonly PodReport[], extent: Extent): readonly string[] {
  const harmed = pods.flatMap(({ harm, ...pod }) => (harm ? { ...pod, ...harm } : []));
  return groupsOf(harmed, ({ kind, expected }) => `${kind} ${expected}`).map((group) => {
    const [first] = group;
    const what = `${first.kind === 'PodFailed' ? 'that' : 'whose Job'} ${describeHarm(first)}`;
    return `${many(group.length, 'pod')} with finished work ${what}, because of this sweep: ${namesOf(group, extent)}`;
  });
}

/** `60 pods ended, all Complete. Freed 72.6 cores, 136 GiB.` */
function describeEnded(pods: readonly PodReport[]): readonly string[] {
  const ended = pods.filter(({ outcome }) => ['Ended', 'Gone', 'Unsettled'].includes(outcome.kind));
  if (ended.length === 0) return [];
  const fates = Object.entries(countKinds(ended.map(fateOf))).sort(([, a], [, b]) => b - a);
  const [[only = ''] = [], ...others] = fates;
  const all = ended.length === 1 ? '' : only.startsWith('Job ') ? 'each ' : 'all ';
  const fate =
    others.length > 0
      ? `: ${fates.map(([what, times]) => `${what} (${number(times)})`).join(', ')}`
      : `, ${all}${only}`;
  const freed = reserved(requestsOf(ended.filter(({ outcome }) => outcome.kind !== 'Unsettled')));
  return [`${many(ended.length, 'pod')} ended${fate}.${freed === '' ? '' : ` Freed ${freed}.`}`];
}

function fateOf(pod: PodReport): string {
  if (pod.outcome.kind === 'Unsettled') return 'still without a final phase';
  const fate = 'job' in pod.outcome ? describeJob(pod.outcome.job) : '';
  if (fate === '') return describePod(pod.outcome);
  // Complete and Failed are said of Jobs alone.
  const job = /^[A-Z]/.test(fate) ? fate : `Job ${fate}`;
  return `${job}${hasFailed(pod) ? ' because its main failed' : ''}`;
}

function describeRest(pods: readonly PodReport[], extent: Extent): readonly string[] {
  const advised = pods.flatMap((pod) =>
    sidecarsOf(pod).flatMap((sidecar) => {
      const { name, outcome, advice } = sidecar;
      if (advice === undefined && outcome.kind !== 'Skipped') return [];
      const isEnded = lookOf(outcome) === 'green';
      return [{ pod, name, advice, isEnded, ...describeOutcome(pod, sidecar) }];
    }),
  );
  // The server's message about a pod names it.
  const keyOf = ({ kind, advice, pod }: (typeof advised)[number]) =>
    `${kind} ${advice?.replaceAll(pod.name, '')}`;
  const groups = groupsOf(advised, keyOf).toSorted((a, b) => b.length - a.length);
  const { shown, more } = worst(groups, extent);
  const texts = shown.map((group) => {
    const [{ isEnded, text, advice }] = group;
    const names = group.map(({ name }) => name);
    const pods = new Set(group.map(({ pod }) => pod)).size;
    return isEnded
      ? `${many(pods, 'pod')} (${[...new Set(names)].join(', ')}): ${advice}`
      : describeUnended(pods, names, text, advice);
  });
  return more > 0 ? [...texts, `and ${more} more kinds (-o wide)`] : texts;
}

/** The kubelet truncates longer termination messages. In bytes. */
const mostBytes = 4096;

/** A report in as many lines as fit into a termination message, the most important ones first. */
export function toTerminationMessage(report: SweepReport, exitCode: number): string {
  const { unread, pods } = report;
  const extent = { wide: false };
  const lines = [
    `exit code ${exitCode}`,
    ...resultOf(report, extent).flat(),
    ...unread.map(({ message }) => `unread: ${message}`),
    ...notesOnFound(report, extent),
    ...pods
      .filter(({ outcome }) => !isResolved(outcome))
      .map(({ namespace, name, outcome }) => `unresolved: ${namespace}/${name}: ${describePod(outcome)}`),
  ];
  return keepWhatFits(lines.map((line) => printable(line, 400)));
}

function keepWhatFits(lines: readonly string[]): string {
  const whole = lines.join('\n');
  if (Buffer.byteLength(whole) <= mostBytes) return whole;
  const available = mostBytes - Buffer.byteLength('\n... and 1000000 more lines');
  let kept = 0;
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > available) break;
    kept++;
  }
  return [...lines.slice(0, kept), `... and ${lines.length - kept} more lines`].join('\n');
}
