import ora from 'ora';
import type { Emit } from '../../events.ts';

export interface Progress {
  readonly hear: Emit;
  stop(): void;
}

/** A terminal that was never told its size says that it has 0 columns. */
type Terminal = NodeJS.WritableStream & { readonly columns?: number };

/** One line on a terminal's stderr that shows the progress of the sweep. */
export function createProgress(stream: Terminal): Progress {
  const spinner = ora({ stream, text: 'reading the cluster', discardStdin: false });
  let listed = 0;
  let stuck = 0;
  let concluded = 0;
  const listing = () => `listing: ${listed} pods, ${stuck} stuck`;
  // ora goes up by as many lines as its text takes: by infinitely many, if a line has 0 columns.
  const hasWidth = () => stream.columns !== 0;
  const stop = () => {
    stream.off('resize', stopWithoutWidth);
    spinner.stop();
  };
  const stopWithoutWidth = () => {
    if (!hasWidth()) stop();
  };
  const ending = () => `ending sidecars: ${concluded} of ${stuck} pods done`;
  return {
    hear(event) {
      switch (event.kind) {
        case 'SweepStarted':
          if (!hasWidth()) break;
          stream.on('resize', stopWithoutWidth);
          spinner.start();
          break;
        case 'PageListed':
          listed += event.pods;
          spinner.text = listing();
          break;
        case 'PodJudged':
          if (event.verdict.kind === 'Candidate') stuck++;
          break;
        case 'PlanMade':
          spinner.text = ending();
          break;
        case 'PodConcluded':
          concluded++;
          spinner.text = ending();
          break;
        case 'Stopping':
          spinner.suffixText = '(stopping)';
          break;
        case 'SweepFinished':
          stop();
          break;
        case 'ReadFailed':
        case 'StepSent':
        case 'Warned':
        case 'FaultFound':
          break;
      }
    },
    stop,
  };
}
