import ora from 'ora';
import type { Emit } from '../../events.ts';

export interface Progress {
  readonly hear: Emit;
  stop(): void;
}

/** A terminal that was never told its size says that it has 0 columns. */
type Terminal = NodeJS.WritableStream & { readonly columns?: number };

/** One line on a terminal's stderr that shows the progress of all sweeps together, each of which is told of by itself. */
export function createProgress(stream: Terminal): () => Progress {
  const spinner = ora({ stream, text: 'reading the cluster', discardStdin: false });
  const sums = { running: 0, listing: 0, listed: 0, stuck: 0, concluded: 0 };
  // ora goes up by as many lines as its text takes: by infinitely many, if a line has 0 columns.
  const hasWidth = () => stream.columns !== 0;
  const stop = () => {
    stream.off('resize', stopWithoutWidth);
    spinner.stop();
  };
  const stopWithoutWidth = () => {
    if (!hasWidth()) stop();
  };
  const start = () => {
    sums.listing++;
    if (sums.running++ > 0 || !hasWidth()) return;
    stream.on('resize', stopWithoutWidth);
    spinner.start();
  };
  const tell = () => {
    spinner.text =
      sums.listing > 0
        ? `listing: ${sums.listed} pods, ${sums.stuck} stuck`
        : `ending sidecars: ${sums.concluded} of ${sums.stuck} pods done`;
  };
  return () => {
    let isRunning = false;
    let isListing = false;
    const haveListed = () => {
      if (isListing) sums.listing--;
      isListing = false;
    };
    const leave = () => {
      haveListed();
      if (isRunning && --sums.running === 0) stop();
      isRunning = false;
    };
    return {
      hear(event) {
        switch (event.kind) {
          case 'SweepStarted':
            isRunning = isListing = true;
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
            haveListed();
            tell();
            break;
          case 'PodConcluded':
            sums.concluded++;
            tell();
            break;
          case 'Stopping':
            spinner.suffixText = '(stopping)';
            break;
          case 'SweepFinished':
            leave();
            break;
          case 'ReadFailed':
          case 'StepSent':
          case 'Warned':
          case 'FaultFound':
            break;
        }
      },
      stop: leave,
    };
  };
}
