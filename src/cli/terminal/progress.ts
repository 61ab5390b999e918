import ora from 'ora';
import type { Emit, PodConclusion } from '../../plan/sweep-event.ts';
import { paragraph, type Style, wrap } from '../../report/columns.ts';
import { many } from '../../report/format.ts';
import { lookOf } from '../../report/sweep/view.ts';
import { describeContainer, describeEnd } from '../../report/texts/outcomes.ts';
import { printable } from '../../util/text.ts';
import { formatDuration, type Millis } from '../../util/time.ts';

export type Progress = ReturnType<typeof createProgress>;

interface Options {
  /** A terminal whose size is unknown has 0 columns. */
  readonly stream: NodeJS.WritableStream & { readonly columns?: number };
  /** If wide, each pod that has ended is named above the line. */
  readonly style: () => Style;
  readonly now: () => Millis;
}

/** The columns of the spinner, its space, and the last column, after which some terminals begin a new line. */
const spinnerWidth = 3;

const barWidth = 10;

/** How often the line is written without an event, because it shows how much time is left. */
const tick: Millis = 500;

const stopping =
  'Stopping: nothing more is sent, and the report follows. Press Ctrl-C again to leave at once, without it.';

/** The state before the first event. `targets` are the sidecars of the plan, and `done` those that have an outcome. */
const begun = { isListing: false, listed: 0, stuck: 0, targets: 0, done: 0, isStopping: false };

/** A line on stderr, which ora writes below everything else. */
export function createProgress({ stream, style, now }: Options) {
  const spinner = ora({ stream, discardStdin: false, ...(!style().colour && { color: false }) });
  const waits = new Map<string, Wait>();
  const state = { ...begun };
  let isPaused = false;
  let ticking: NodeJS.Timeout | undefined;
  const update = () => {
    const width = (stream.columns ?? 80) - spinnerWidth;
    // ora moves up by the number of lines of its text, which is infinite if a line has 0 columns.
    if (width > 0) spinner.text = statusLine({ ...state, waits: [...waits.values()] }, now(), width);
    else if (spinner.isSpinning) hide();
  };
  const hide = () => {
    clearInterval(ticking);
    stream.off('resize', update);
    spinner.stop();
  };
  const show = () => {
    if ((stream.columns ?? 80) <= spinnerWidth) return;
    stream.on('resize', update);
    update();
    spinner.start();
    ticking = setInterval(update, tick);
  };

  const hear: Emit = (event) => {
    switch (event.kind) {
      case 'SweepStarted':
        state.isListing = true;
        return show();
      case 'PageListed':
        state.listed += event.pods;
        return update();
      case 'PodJudged':
        if (event.verdict.kind === 'Candidate') state.stuck++;
        return;
      case 'PlanMade':
        state.isListing = false;
        state.targets += event.plan.pods.reduce((sum, { targets }) => sum + targets.length, 0);
        return update();
      case 'StepSent': {
        const { pod, attempt } = event;
        const until = attempt.sentAt + attempt.duration + attempt.step.grace;
        waits.set(pod.uid, { name: `${pod.namespace}/${pod.name}`, until });
        return update();
      }
      case 'PodConcluded':
        state.done += event.conclusion.targets.length;
        waits.delete(event.conclusion.pod.uid);
        update();
        if (style().wide) printEnd(event.conclusion);
        return;
      case 'Stopping':
        if (event.reason === 'Signal' && !state.isStopping && !isPaused)
          stream.write(`${paragraph(stopping, style())}\n`);
        state.isStopping = true;
        return update();
      case 'SweepFinished':
        return hide();
      case 'ReadFailed':
      case 'ClusterIdentified':
      case 'Acting':
      case 'Warned':
      case 'FaultFound':
        return;
    }
  };

  /** A pod to which nothing was sent has not ended; it is in the report. */
  function printEnd({ pod, targets, outcome, mainFailed }: PodConclusion): void {
    if (outcome.kind === 'NotAttempted') return;
    const then = `pod ${describeEnd(outcome, mainFailed)}`;
    for (const { container, outcome } of targets) {
      const ended = `${container} ${describeContainer(outcome)}; ${then}`;
      const text = printable(`${pod.namespace}/${pod.name}: ${ended}`);
      stream.write(`${paragraph(text, style(), lookOf(outcome))}\n`);
    }
  }

  return {
    hear,
    /** Hides the line during this work, which needs the terminal for itself. */
    async pausedFor<T>(work: () => Promise<T>): Promise<T> {
      hide();
      isPaused = true;
      try {
        return await work();
      } finally {
        isPaused = false;
        if (!state.isStopping) show();
      }
    },
  };
}

interface Wait {
  readonly name: string;
  readonly until: Millis;
}

export type ProgressState = Readonly<typeof begun> & { readonly waits: readonly Wait[] };

/** As many words of the line as fit: the least important ones come last. */
export function statusLine(state: ProgressState, now: Millis, width: number): string {
  const parts = [...(state.isListing ? listing(state) : ending(state, now)), state.isStopping && 'stopping'];
  return wrap(parts.filter(Boolean).join(', '), width, 0)[0]?.replace(/,$/, '') ?? '';
}

function listing({ listed, stuck }: ProgressState): readonly string[] {
  // Pods are judged after they are listed, so 0 stuck would say nothing.
  const soFar = `${many(listed, 'pod')} listed${stuck > 0 ? `, ${stuck} stuck` : ''}`;
  return [listed === 0 ? 'reading the cluster' : soFar];
}

function ending({ targets, done, waits, isStopping }: ProgressState, now: Millis): readonly string[] {
  const filled = targets === 0 ? barWidth : Math.floor((done / targets) * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const sum = `${bar} ${done} of ${many(targets, 'sidecar')}`;
  const [last, ...others] = waits.toSorted((a, b) => b.until - a.until);
  if (!last || isStopping) return [sum];
  const seconds = Math.ceil((last.until - now) / 1000);
  const left = seconds > 0 ? `at most ${formatDuration(seconds * 1000)} left` : '';
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return [sum, left, `waiting for ${printable(last.name)}${more}`];
}
