import type { Problem, Warning } from '../../vocabulary.ts';
import { describeHeld } from './reasons.ts';

export function describeWarning(warning: Warning): string {
  switch (warning.kind) {
    case 'ListInconsistent':
      return 'the list of pods expired on the way: what changed meanwhile may be missing from it';
    case 'JobsUnreadable':
      return `Jobs cannot be read in ${warning.namespaces.join(', ')}, so which containers were injected and what Jobs did is unknown: ${warning.message}; it takes get on jobs`;
    case 'NodesUnreadable':
      return `nodes cannot be read, so pods on nodes that are not ready are not told from others: ${warning.message}; it takes get on nodes`;
    case 'Unlocked':
      return `another sweep may run at the same time: ${warning.message}; if that does not matter, say --no-lock`;
    case 'NoPermission':
      return `${warning.method} is not used${warning.namespace === undefined ? '' : ` in ${warning.namespace}`}: it needs ${warning.rule}`;
    case 'Held':
      return `${warning.pods === 1 ? '1 pod is' : `${warning.pods} pods are`} held: sidecars of ${warning.image} by ${warning.method}: ${describeHeld(warning.reason)}; see docs/unclean-exits.md`;
    case 'NoopMayNotStart':
      return `${warning.noop} is not known to have ${warning.program}, the command of ${warning.containers} containers of ${warning.image}: swapped, they would fail to start and their Jobs run again; add it to the image, and to imageSwap.commands of the policy`;
    case 'FinishedWorkRunsAgain':
      return `${warning.namespace}/${warning.name}: its mains had succeeded, but a sidecar did not end with 0, so its Job runs again`;
  }
}

export function describeProblem(problem: Problem, namespace: string | undefined): string {
  const where = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
  return `cannot list pods ${where}: ${problem.message}${problemAdvice[problem.kind]}`;
}

const problemAdvice: Record<Problem['kind'], string> = {
  Unreachable: '',
  TimedOut: '',
  Unauthorized: '; log in again, or choose another context with --context',
  Forbidden: '; grant get and list on pods, or name namespaces that you may read with -n',
  NotFound: '',
  Rejected: '',
  Malformed: '',
  Interrupted: '',
};
