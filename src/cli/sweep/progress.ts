import ora from 'ora';
import type { Emit } from '../../events.ts';

export interface Progress {
  readonly hear: Emit;
  stop(): void;
}

/** One line on a terminal's stderr that shows the progress of the sweep. */
export function createProgress(stream: NodeJS.WritableStream): Progress {
  const spinner = ora({ stream, text: 'reading the cluster', discardStdin: false });
  let listed = 0;
  let stuck = 0;
  let concluded = 0;
  const listing = () => `listing: ${listed} pods, ${stuck} stuck`;
  const ending = () => `ending sidecars: ${concluded} of ${stuck} pods done`;
  return {
    hear(event) {
      switch (event.kind) {
        case 'SweepStarted':
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
          spinner.stop();
          break;
        case 'ReadFailed':
        case 'StepSent':
        case 'Warned':
          break;
      }
    },
    stop: () => void spinner.stop(),
  };
}
