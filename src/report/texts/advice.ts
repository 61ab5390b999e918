import { ownKeys } from '../../model/annotations.ts';
import type {
  BlockedReason,
  ContainerOutcome,
  SkipReason,
  StillRunningBecause,
} from '../../model/outcome.ts';
import type { Unfit } from '../../model/step.ts';
import type { AttemptReport } from '../schema.ts';
import { blockedTexts, pageOf } from './reasons.ts';

/** What advice about a sidecar depends on besides its outcome. */
export interface Tried {
  readonly container: string;
  readonly attempts: readonly Pick<AttemptReport, 'method' | 'expectedExitCode' | 'whyUnknown'>[];
  readonly unfit: readonly Unfit[];
  /** Whether an unclean end of the sidecar would have cost something. */
  readonly isAtStake: boolean;
}

/** What to do, and whether an image swap is another way; undefined if there is nothing to do. */
type Advice = { readonly first?: string; readonly orSwap?: true } | undefined;

/** What to do about a sidecar that the sweep did not end, or whose end it has learnt; undefined if there is nothing to do. */
export function adviceOn(outcome: ContainerOutcome, tried: Tried): string | undefined {
  const advice = adviceFor(outcome, tried);
  if (!advice?.orSwap) return advice?.first;
  const swap = aboutSwap(tried);
  return advice.first === undefined ? swap : `${advice.first}, or ${swap}`;
}

function adviceFor(outcome: ContainerOutcome, tried: Tried): Advice {
  switch (outcome.kind) {
    case 'StillRunning':
      return outcome.because.kind === 'Blocked'
        ? onBlocked(outcome.because.reason, tried)
        : running[outcome.because.kind];
    case 'Restarted':
      return { orSwap: true };
    case 'NotStarted':
      return {
        first:
          'see why the no-op image does not start, and which programs and pull secrets it needs: explain --reason NotStartedAgain',
      };
    case 'Unproven':
      return { first: 'sweep again: the next sweep reads the pod first' };
    case 'Skipped':
      return skipped[outcome.reason.kind];
    case 'Stopped':
      return outcome.exitCode === 0 ? onCleanEnd(tried) : undefined;
    case 'NotAttempted':
      return outcome.reason === 'NodeUnreachable'
        ? {
            first:
              'check whether kubectl exec works on its node: the API server does not reach the kubelet, or the kubelet hangs',
          }
        : undefined;
    case 'AlreadyEnded':
    case 'Gone':
    case 'Replaced':
      return undefined;
  }
}

/** A swap knows which programs its image lacks. */
function onBlocked(reason: BlockedReason, { attempts }: Tried): Advice {
  const why = attempts.findLast((one) => one.whyUnknown)?.whyUnknown;
  return reason === 'NoopUnknown' && why !== undefined ? { first: why } : blockedTexts[reason].advice;
}

/** A step with an unknown end is sent by default only where someone says that it ends the sidecar with 0. */
function onCleanEnd({ container, attempts, isAtStake }: Tried): Advice {
  const last = attempts.at(-1);
  if (!isAtStake || !last || last.expectedExitCode !== undefined) return undefined;
  return {
    first: `it exited with 0; if it always does, annotate its pod template: ${ownKeys.exitsWithZero}: ${container}`,
  };
}

const skipped: Record<SkipReason['kind'], Advice> = {
  BadKillCommand: { first: 'correct the annotation' },
  CommandNotAllowed: {
    first:
      'add the command to the allowlist (allowedCommands of a --policy file), or the step to a profile of the policy',
  },
  OverBound: { first: `see ${pageOf('OverBound')}` },
  RestartsAlways: { first: 'end the pod with --last-resort, or the Job by hand' },
  HostPID: { orSwap: true },
  NoWay: { orSwap: true },
  Undecided: { first: `see ${pageOf('Undecided')}` },
  NoLongerCandidate: undefined,
  NotRunning: undefined,
};

const running: Record<Exclude<StillRunningBecause['kind'], 'Blocked'>, Advice> = {
  CarriesOthers: {
    first: 'see why the other sidecars of its pod are still running; it is asked when they have ended',
  },
  Refused: { first: 'grant the permission, which `check-access` prints', orSwap: true },
  NoSuchProgram: {
    first: 'name its quit endpoint in a policy, which needs no program in the image',
    orSwap: true,
  },
  Unsupported: { first: 'turn on its quit endpoint', orSwap: true },
  UnderWay: {
    first:
      'sweep again: the next sweep continues from there and sends nothing twice; see maxGrace of the policy',
  },
  SwapUnderWay: { first: 'sweep again when its preStop hook, its grace period and the pull are over' },
  Outlived: { orSwap: true },
  Immune: { orSwap: true },
  LastResortDue: {
    first:
      'see why the other sidecars of its pod are still running; the last resort is taken when they have outlived their steps',
  },
  Undelivered: { first: 'sweep again; if it is still not reached, look at its node and at the API server' },
};

/** An image swap ends almost everything, if it is possible here and was not tried already. */
function aboutSwap({ attempts, unfit }: Tried): string {
  if (attempts.some(({ method }) => method === 'ImageSwap')) {
    return 'see why its image swap did not end it: the events of its pod and its node';
  }
  const swap = unfit.find(({ method }) => method === 'ImageSwap');
  return swap
    ? `make an image swap possible (${swap.detail}), or end the pod with --last-resort`
    : 'allow image swaps: --noop-image';
}
