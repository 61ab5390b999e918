import ora from 'ora';
import type { Emit, PodConclusion } from '../../plan/sweep-event.ts';
import { paragraph, type Style, widthOf } from '../../report/columns.ts';
import { count } from '../../report/counts.ts';
import { lookOf } from '../../report/sweep/view.ts';
import { describeContainer, describeEnd } from '../../report/texts/outcomes.ts';
import { printable } from '../../util/text.ts';
import { formatDuration, type Millis } from '../../util/time.ts';

export interface Progress {
  readonly hear: Emit;
  stop(): void;
  /** Hides the line during this work, which needs the terminal for itself. */
  pausedFor<T>(work: () => Promise<T>): Promise<T>;
}

/** A terminal whose size is unknown has 0 columns. */
type Terminal = NodeJS.WritableStream & { readonly columns?: number };

interface Options {
  readonly stream: Terminal;
  /** If wide, each pod that has ended is named above the line. */
  readonly style: () => Style;
  readonly now: () => Millis;
}

/** The columns of the spinner, its space, and the last column, after which some terminals begin a new line. */
const spinnerWidth = 3;

/** How often the line is written without an event, because it shows how much time is left. */
const tick: Millis = 500;

const stopping =
  'Stopping: nothing more is sent, and the report follows. Press Ctrl-C again to leave at once, without it.';

/** A line on a terminal's stderr that shows the progress of a sweep. ora writes it below everything else that is written to the stream. */
export function createProgress({ stream, style, now }: Options): Progress {
  const spinner = ora({ stream, discardStdin: false, ...(!style().colour && { color: false }) });
  const waits = new Map<string, { readonly name: string; readonly until: Millis }>();
  const state = {
    isRunning: false,
    isListing: false,
    listed: 0,
    stuck: 0,
    targets: 0,
    done: 0,
    isStopping: false,
  };
  let ticking: NodeJS.Timeout | undefined;
  let isPaused = false;
  // ora moves up by the number of lines of its text, which is infinite if a line has 0 columns.
  const fits = () => (stream.columns ?? 80) > spinnerWidth;
  const update = () => {
    const width = (stream.columns ?? 80) - spinnerWidth;
    spinner.text = statusLine({ ...state, waits: waits.values() }, now(), width);
  };
  const stop = () => {
    clearInterval(ticking);
    stream.off('resize', resized);
    spinner.stop();
  };
  const start = () => {
    if (!fits()) return;
    stream.on('resize', resized);
    update();
    spinner.start();
    ticking = setInterval(update, tick);
  };
  const resized = () => {
    if (!fits()) stop();
    else update();
  };

  const hear: Emit = (event) => {
    switch (event.kind) {
      case 'SweepStarted':
        state.isRunning = state.isListing = true;
        return start();
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
        state.isRunning = false;
        return stop();
      case 'ReadFailed':
      case 'ClusterIdentified':
      case 'Acting':
      case 'Warned':
      case 'FaultFound':
        return;
    }
  };

  /** A pod to which nothing was sent has not ended; it is in the report. */
  function printEnd({ pod, targets, outcome }: PodConclusion): void {
    if (outcome.kind === 'NotAttempted') return;
    const then = `pod ${describeEnd(outcome)}`;
    for (const { container, outcome } of targets) {
      const text = printable(
        `${pod.namespace}/${pod.name}: ${container} ${describeContainer(outcome)}; ${then}`,
      );
      stream.write(`${paragraph(text, style(), lookOf(outcome))}\n`);
    }
  }

  return {
    hear,
    stop() {
      state.isRunning = false;
      stop();
    },
    async pausedFor(work) {
      stop();
      isPaused = true;
      try {
        return await work();
      } finally {
        isPaused = false;
        if (state.isRunning && !state.isStopping) start();
      }
    },
  };
}

export interface ProgressState {
  readonly isListing: boolean;
  readonly listed: number;
  readonly stuck: number;
  /** How many sidecars the plan is for, and how many of them have an outcome. */
  readonly targets: number;
  readonly done: number;
  /** The pods that the sweep waits for, and until when at most. */
  readonly waits: Iterable<{ readonly name: string; readonly until: Millis }>;
  readonly isStopping: boolean;
}

/** One line that fits; the least important parts are left out first. */
export function statusLine(state: ProgressState, now: Millis, width: number): string {
  const all = state.isListing ? listing(state) : ending(state, now);
  return all.map((parts) => parts.filter(Boolean).join('  ')).find((line) => widthOf(line) <= width) ?? '';
}

/** From the longest to the shortest line, each in parts. */
function listing({ listed, stuck, isStopping }: ProgressState): readonly (readonly string[])[] {
  // Pods are judged after they are listed, so 0 stuck would say nothing.
  const soFar = `${count(listed, 'pod')} listed${stuck > 0 ? `, ${stuck} stuck` : ''}`;
  const found = listed === 0 ? 'reading the cluster' : soFar;
  return [...(isStopping ? [[found, 'stopping']] : []), [found], [`${listed}`]];
}

function ending(
  { targets, done, waits, isStopping }: ProgressState,
  now: Millis,
): readonly (readonly string[])[] {
  const sum = `${done} of ${count(targets, 'sidecar')}`;
  const least = `${done}/${targets}`;
  const bar = (width: number) => {
    const filled = targets === 0 ? width : Math.floor((done / targets) * width);
    return '█'.repeat(filled) + '░'.repeat(width - filled);
  };
  if (isStopping) return [[bar(20), sum, 'stopping'], [sum, 'stopping'], [sum], [least]];
  const [last, ...others] = [...waits].sort((a, b) => b.until - a.until);
  const isLate = !last || last.until <= now;
  const brief = isLate ? '' : `at most ${formatDuration(Math.ceil((last.until - now) / 1000) * 1000)} left`;
  const awaiting = (more: string) =>
    last ? `waiting for ${printable(last.name)}${more}${brief && `, ${brief}`}` : '';
  const all = awaiting(others.length > 0 ? ` and ${others.length} more` : '');
  return [
    [bar(20), sum, all],
    [bar(10), sum, all],
    [bar(10), sum, awaiting('')],
    [bar(10), sum, brief],
    [sum, brief],
    [sum],
    [least],
  ];
}
