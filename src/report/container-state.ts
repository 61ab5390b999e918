import { formatDuration } from '../duration.ts';
import type { ContainerState, Millis } from '../vocabulary.ts';

/** A container's state in a few words, with ages by the server's clock. */
export function describeState(state: ContainerState, asOf: Millis): string {
  switch (state.kind) {
    case 'Running':
      return `running${since(state.startedAt, asOf, ' for ')}`;
    case 'Waiting':
      return `waiting (${state.reason})`;
    case 'Terminated': {
      const why = state.reason === '' || state.reason === 'Completed' ? '' : ` (${state.reason})`;
      const age = since(state.finishedAt, asOf, ' ', ' ago');
      return `exited ${state.exitCode}${why}${age === '' ? ', nobody knows when' : age}`;
    }
    case 'Unreported':
      return 'unknown';
  }
}

function since(then: Millis | undefined, asOf: Millis, before: string, after = ''): string {
  if (then === undefined || !Number.isFinite(asOf - then)) return '';
  return asOf < then ? `${before}in the future` : `${before}${formatDuration(asOf - then)}${after}`;
}
