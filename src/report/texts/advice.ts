import { ownKeys } from '../../model/annotations.ts';
import type {
  BlockedReason,
  ContainerOutcome,
  SkipReason,
  StillRunningBecause,
} from '../../model/outcome.ts';
import type { Unfit } from '../../model/step.ts';

/** What advice about a sidecar depends on besides its outcome. */
export interface Tried {
  readonly container: string;
  readonly attempts: readonly { readonly method: string; readonly expectedExitCode?: number | undefined }[];
  readonly unfit: readonly Unfit[];
  /** Whether an unclean end of the sidecar would have cost something. */
  readonly isAtStake: boolean;
}

/** What to do about a sidecar that the sweep did not end, or whose end it has learnt; undefined if there is nothing to do. */
export function adviceOn(outcome: ContainerOutcome, tried: Tried): string | undefined {
  switch (outcome.kind) {
    case 'StillRunning':
      return adviceOnRunning(outcome.because, tried);
    case 'Restarted':
      return orSwap(undefined, tried);
    case 'NotStarted':
      return 'see why the no-op image does not start, and which programs and pull secrets it needs: explain --reason NotStartedAgain';
    case 'Unproven':
      return 'sweep again: the next sweep reads the pod first';
    case 'Skipped':
      return adviceOnSkipped(outcome.reason, tried);
    case 'Stopped':
      return outcome.exitCode === 0 ? adviceOnCleanEnd(tried) : undefined;
    case 'AlreadyEnded':
    case 'Gone':
    case 'Replaced':
      return undefined;
    case 'NotAttempted':
      return outcome.reason === 'NodeUnreachable'
        ? 'check whether kubectl exec works on its node: the API server does not reach the kubelet, or the kubelet hangs'
        : undefined;
  }
}

/** A step with an unknown end is sent by default only where someone says that it ends the sidecar with 0. */
function adviceOnCleanEnd({ container, attempts, isAtStake }: Tried): string | undefined {
  const last = attempts.at(-1);
  if (!isAtStake || !last || last.expectedExitCode !== undefined) return undefined;
  return `it exited with 0; if it always does, annotate its pod template: ${ownKeys.exitsWithZero}: ${container}`;
}

function adviceOnSkipped({ kind }: SkipReason, tried: Tried): string | undefined {
  switch (kind) {
    case 'BadKillCommand':
      return 'correct the annotation';
    case 'CommandNotAllowed':
      return 'add the command to the allowlist (allowedCommands of a --policy file), or the step to a profile of the policy';
    case 'OverBound':
      return 'see explain --reason OverBound';
    case 'RestartsAlways':
      return 'end the pod with --last-resort, or the Job by hand';
    case 'HostPID':
    case 'NoWay':
      return orSwap(undefined, tried);
    case 'Undecided':
      return 'see explain --reason Undecided';
    case 'NoLongerCandidate':
    case 'NotRunning':
      return undefined;
  }
}

function adviceOnRunning(because: StillRunningBecause, tried: Tried): string {
  switch (because.kind) {
    case 'Blocked':
      return adviceOnBlocked(because.reason, tried);
    case 'CarriesOthers':
      return 'see why the other sidecars of its pod are still running; it is asked when they have ended';
    case 'Refused':
      return orSwap('grant the permission, which `check-access` prints', tried);
    case 'NoSuchProgram':
      return orSwap('name its quit endpoint in a policy, which needs no program in the image', tried);
    case 'Unsupported':
      return orSwap('turn on its quit endpoint', tried);
    case 'UnderWay':
      return 'sweep again: the next sweep continues from there and sends nothing twice; see --max-grace';
    case 'SwapUnderWay':
      return 'sweep again when its preStop hook, its grace period and the pull are over';
    case 'Outlived':
    case 'Immune':
      return orSwap(undefined, tried);
    case 'LastResortDue':
      return 'see why the other sidecars of its pod are still running; the last resort is taken when they have outlived their steps';
    case 'Undelivered':
      return 'sweep again; if it is still not reached, look at its node and at the API server';
  }
}

function adviceOnBlocked(reason: BlockedReason, tried: Tried): string {
  switch (reason) {
    case 'KnownUnclean':
    case 'UnknownEnd':
      return orSwap('name a step in a policy that is known to end it with 0', tried);
    case 'AlreadyUnclean':
      return 'see why the other sidecar failed; if the work may run again, or fail, use --unclean-exit=allow';
    case 'PromiseBroken':
      return orSwap('correct the exit code of the step in its profile or annotation', tried);
    case 'EndedUncleanBefore':
      return orSwap(undefined, tried);
    case 'NoopDoesNotStart':
      return 'make the no-op image available to its nodes: see the events of the pod whose image was swapped';
    case 'NoopUnknown':
      return 'list the programs of the no-op image in the policy (explain --reason NoopUnknown)';
    case 'NoRoomInJob':
      return 'sweep again when other pods of its Job have ended, or raise spec.backoffLimit of the Job, as --raise-backoff-limit does';
  }
}

/** An image swap ends almost everything, if it is possible here and was not tried already. */
function orSwap(first: string | undefined, { attempts, unfit }: Tried): string {
  const swap = unfit.find(({ method }) => method === 'ImageSwap');
  const otherwise = attempts.some(({ method }) => method === 'ImageSwap')
    ? 'see why its image swap did not end it: the events of its pod and its node'
    : swap
      ? `make an image swap possible (${swap.detail}), or end the pod with --last-resort`
      : 'allow image swaps: --noop-image';
  return first === undefined ? otherwise : `${first}, or ${otherwise}`;
}
