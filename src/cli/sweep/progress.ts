import ora from 'ora';
import type { Emit, PodConclusion } from '../../plan/sweep-event.ts';
import { paragraph, type Style } from '../../report/columns.ts';
import { lookOf } from '../../report/sweep/table.ts';
import { describeContainer, describeJob, describePod } from '../../report/texts/outcomes.ts';
import { printable } from '../../util/text.ts';
import type { Millis } from '../../util/time.ts';
import { statusLine } from './status-line.ts';

export interface Progress {
  readonly hear: Emit;
  stop(): void;
  /** Does without the line during this work, which has the terminal to itself. */
  pausedFor<T>(work: () => Promise<T>): Promise<T>;
}

/** A terminal that was never told its size says that it has 0 columns. */
type Terminal = NodeJS.WritableStream & { readonly columns?: number };

interface Options {
  readonly stream: Terminal;
  readonly style: () => Style;
  readonly now: () => Millis;
}

/** The spinner, its space, and the last column, after which some terminals begin a new line. */
const spinnersRoom = 3;

/** The line is written again so often, because the time that is left goes by without an event. */
const tick: Millis = 500;

/**
 * A line on a terminal's stderr that shows the progress of a sweep, and above it, as they end, the pods that have ended. ora
 * writes the line below whatever else is written to the stream.
 */
export function createProgress({ stream, style, now }: Options): Progress {
  const spinner = ora({
    stream,
    discardStdin: false,
    ...(!style().colour && { color: false }),
  });
  const waits = new Map<string, { readonly name: string; readonly until: Millis }>();
  const sums = {
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
  // ora goes up by as many lines as its text takes: by infinitely many, if a line has 0 columns.
  const hasRoom = () => (stream.columns ?? 80) > spinnersRoom;
  const tell = () => {
    const room = (stream.columns ?? 80) - spinnersRoom;
    spinner.text = statusLine({ ...sums, waits: waits.values() }, now(), room);
  };
  const stop = () => {
    clearInterval(ticking);
    stream.off('resize', resized);
    spinner.stop();
  };
  const start = () => {
    if (!hasRoom()) return;
    stream.on('resize', resized);
    tell();
    spinner.start();
    ticking = setInterval(tell, tick);
  };
  const resized = () => {
    if (!hasRoom()) stop();
    else tell();
  };

  const end = () => {
    sums.isRunning = false;
    stop();
  };
  const hear: Emit = (event) => {
    switch (event.kind) {
      case 'SweepStarted':
        sums.isRunning = sums.isListing = true;
        start();
        break;
      case 'PageListed':
        sums.listed += event.pods;
        tell();
        break;
      case 'PodJudged':
        if (event.verdict.kind === 'Candidate') sums.stuck++;
        break;
      case 'PlanMade':
        sums.isListing = false;
        sums.targets += event.plan.pods.reduce((sum, { targets }) => sum + targets.length, 0);
        tell();
        break;
      case 'StepSent': {
        const { pod, attempt } = event;
        const until = attempt.sentAt + attempt.duration + attempt.step.grace;
        waits.set(pod.uid, { name: `${pod.namespace}/${pod.name}`, until });
        tell();
        break;
      }
      case 'PodConcluded':
        sums.done += event.conclusion.targets.length;
        waits.delete(event.conclusion.pod.uid);
        tell();
        tellEnd(event.conclusion);
        break;
      case 'Stopping':
        if (event.reason === 'Signal' && !sums.isStopping && !isPaused)
          stream.write(`${paragraph(stopping, style())}\n`);
        sums.isStopping = true;
        tell();
        break;
      case 'SweepFinished':
        end();
        break;
      case 'ReadFailed':
      case 'ClusterIdentified':
      case 'Warned':
      case 'FaultFound':
        break;
    }
  };

  /** A pod that nothing was sent to has not ended, and is in the report. */
  function tellEnd({ pod, targets, outcome }: PodConclusion): void {
    if (outcome.kind === 'NotAttempted') return;
    const job = outcome.kind === 'Ended' ? describeJob(outcome.job) : '';
    const then = `pod ${describePod(outcome)}${job && `, Job ${job}`}`;
    for (const { container, outcome } of targets) {
      const text = printable(
        `${pod.namespace}/${pod.name}: ${container} ${describeContainer(outcome)}; ${then}`,
      );
      stream.write(`${paragraph(text, style(), lookOf(outcome))}\n`);
    }
  }

  return {
    hear,
    stop: end,
    async pausedFor(work) {
      stop();
      isPaused = true;
      try {
        return await work();
      } finally {
        isPaused = false;
        if (sums.isRunning && !sums.isStopping) start();
      }
    },
  };
}

const stopping =
  'Stopping: nothing more is sent, and the report follows. Press Ctrl-C again to leave at once, without it.';
