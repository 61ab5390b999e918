import { formatDuration, type Millis } from '../../duration.ts';
import type { ContainerState } from '../../model/pod.ts';

/** A container's state in a few words, with ages by the server's clock. */
export function describeState(state: ContainerState, asOf: Millis | undefined): string {
  switch (state.kind) {
    case 'Running':
      return `running${since(state.startedAt, asOf, ' for ')}`;
    case 'Waiting':
      return `waiting (${state.reason})`;
    case 'Terminated': {
      const why = state.reason === '' || state.reason === 'Completed' ? '' : ` (${state.reason})`;
      const age = since(state.finishedAt, asOf, ' ', ' ago');
      return `exited ${state.exitCode}${why}${age === '' ? ', time unknown' : age}`;
    }
    case 'Unreported':
      return 'unknown';
  }
}

function since(then: Millis | undefined, asOf: Millis | undefined, before: string, after = ''): string {
  if (then === undefined || asOf === undefined) return '';
  return asOf < then ? ', time in the future' : `${before}${formatDuration(asOf - then)}${after}`;
}
