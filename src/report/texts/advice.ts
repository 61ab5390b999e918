import { ownKeys } from '../../model/annotations.ts';
import type {
  BlockedReason,
  ContainerOutcome,
  SkipReason,
  StillRunningBecause,
} from '../../model/outcome.ts';
import type { Unfit } from '../../model/step.ts';
import { someOf } from '../../util/text.ts';
import { many } from '../format.ts';
import type { AttemptReport } from '../schema.ts';
import { pageOf } from './reasons.ts';

export interface Tried {
  readonly container: string;
  readonly attempts: readonly AttemptReport[];
  readonly unfit: readonly Unfit[];
  /** Whether an unclean end of the sidecar would have cost something. */
  readonly isAtStake: boolean;
}

/** Stands in a sentence for the advice on an image swap, which ends almost everything. */
const swap = '{swap}';

/** Advice on a sidecar that the sweep did not end, or whose exit code it has learnt; undefined if there is nothing to do. */
export function adviceOn(outcome: ContainerOutcome, tried: Tried): string | undefined {
  const isBlocked = outcome.kind === 'StillRunning' && outcome.because.kind === 'Blocked';
  return adviceFor(outcome, tried)?.replace(swap, () => aboutSwap(tried, isBlocked));
}

function adviceFor(outcome: ContainerOutcome, tried: Tried): string | undefined {
  switch (outcome.kind) {
    case 'StillRunning':
      if (outcome.because.kind === 'Blocked') return onBlocked(outcome.because.reason, tried);
      return outcome.because.kind === 'NoSuchProgram' &&
        tried.unfit.some(({ reason }) => reason === 'SeesTheNode')
        ? swap
        : running[outcome.because.kind];
    case 'Restarted':
      return swap;
    case 'NotStarted':
      return 'see why the no-op image does not start, and which programs and pull secrets it needs: explain --reason NotStartedAgain';
    case 'Unproven':
      return 'sweep again: the next sweep reads the pod first';
    case 'Skipped':
      return skipped[outcome.reason.kind];
    case 'Stopped':
      return outcome.exitCode === 0 ? onCleanEnd(tried) : undefined;
    case 'NotAttempted':
      return outcome.reason === 'NodeUnreachable'
        ? 'check whether kubectl exec works for pods on its node: the API server cannot reach the kubelet, or the kubelet hangs'
        : undefined;
    case 'AlreadyEnded':
    case 'Gone':
    case 'Replaced':
      return undefined;
  }
}

/** A swap knows which programs its image lacks. */
function onBlocked(reason: BlockedReason, { attempts, unfit }: Tried): string | undefined {
  if (unfit.some((one) => one.reason === 'RestartsAlways'))
    return `${ifAllowed}; otherwise end its Job by hand`;
  // `it is not known which programs it has: list them in the policy`
  const why = attempts.findLast((one) => one.whyUnknown)?.whyUnknown ?? '';
  // A step was tried without effect before the blocked ones: naming it again would not help.
  const vain = attempts.findLast(({ result }) => result.kind === 'Immune');
  if (vain?.result.kind === 'Immune' && blocked[reason] === toCleanStep) {
    return `name a step other than ${vain.does} (${vain.result.message}) that is known to end it with 0, or ${swap}`;
  }
  return (reason === 'NoopUnknown' && /: (.*)/.exec(why)?.[1]) || blocked[reason];
}

/** A step with an unknown end is sent by default only where someone says that it ends the sidecar with 0. */
function onCleanEnd({ container, attempts, isAtStake }: Tried): string | undefined {
  const last = attempts.at(-1);
  if (!isAtStake || !last || last.expectedExitCode !== undefined) return undefined;
  return `it exited with 0; if it always does, annotate its pod template: ${ownKeys.exitsWithZero}: ${container}`;
}

const ifAllowed = 'if the work may run again, or fail, use --unclean-exit=allow';
const toCleanStep = `name a step in a policy that is known to end it with 0, or ${swap}`;

const blocked: Record<BlockedReason, string | undefined> = {
  KnownUnclean: toCleanStep,
  UnknownEnd: toCleanStep,
  AlreadyUnclean: `see why the other sidecar failed; ${ifAllowed}`,
  PromiseBroken: `correct the exit code of the step in its profile or annotation, or ${swap}`,
  EndedUncleanBefore: swap,
  NoRoomInJob:
    'sweep again when other pods of its Job have ended, or raise spec.backoffLimit of the Job, as raiseBackoffLimit of the policy does',
  NoopDoesNotStart:
    'make the no-op image available to its nodes: see the events of the pod whose image was swapped; if it is now, see explain --reason NoopDoesNotStart',
  NoopUnknown: 'list the programs of the no-op image in the policy (explain --reason NoopUnknown)',
};

const skipped: Record<SkipReason['kind'], string | undefined> = {
  BadKillCommand: 'correct the annotation',
  CommandNotAllowed:
    'add the command to the allowlist (allowedCommands of a --policy file), or the step to a profile of the policy',
  OverBound: `see ${pageOf('OverBound')}`,
  RestartsAlways: 'end the pod with --last-resort, or the Job by hand',
  NoWay: swap,
  Undecided: `see ${pageOf('Undecided')}`,
  NoLongerCandidate: undefined,
  NotRunning: undefined,
};

const running: Record<Exclude<StillRunningBecause['kind'], 'Blocked'>, string | undefined> = {
  CarriesOthers: 'see why the other sidecars of its pod are still running; it is asked when they have ended',
  Refused: `grant the permission, which \`check-access\` prints, or change the admission policy that denies it, or ${swap}`,
  NoSuchProgram: `name its quit endpoint in a policy, which needs no program in the image, or ${swap}`,
  Unsupported: `turn on its quit endpoint, or ${swap}`,
  UnderWay:
    'sweep again: the next sweep continues from there and sends nothing twice; see maxGrace of the policy',
  SwapUnderWay: 'sweep again when its preStop hook, its grace period and the pull are over',
  Outlived: swap,
  Immune: swap,
  LastResortDue:
    'see why the other sidecars of its pod are still running; the last resort is taken when they have outlived their steps',
  Undelivered:
    'sweep again; if it is still not reached, look at its node, its disruption budget and the API server',
};

function aboutSwap({ attempts, unfit }: Tried, isBlocked: boolean): string {
  if (attempts.some(({ method }) => method === 'ImageSwap')) {
    return 'see why its image swap did not end it: the events of its pod and its node';
  }
  const swap = unfit.find(({ method }) => method === 'ImageSwap');
  return swap
    ? `make an image swap possible (${swap.detail}), or ${isBlocked ? ifAllowed : 'end the pod with --last-resort'}`
    : 'allow image swaps: --noop-image';
}

/** `20 pods blocked (audit-log): it exits with 143, which would run its Job again. To end them: …` */
export function describeUnended(
  pods: number,
  sidecars: readonly string[],
  words: string,
  advice: string | undefined,
): string {
  const [head, ...why] = words.split(': ');
  const told = [`${many(pods, 'pod')} ${head} (${someOf([...new Set(sidecars)])})`, ...why].join(': ');
  return advice === undefined
    ? told
    : `${told.replace(/([^.?])$/, '$1.')} To end ${pods > 1 ? 'them' : 'it'}: ${advice}`;
}

/** More namespaces than this are not named one by one. */
const mostNamed = 3;

/** A command follows. */
export const howToPrevent = 'To keep such pods from getting stuck:';

/** A namespace is undefined if it may be one of several. */
export function adviseCommand(found: readonly (string | undefined)[]): string {
  const namespaces = new Set(found);
  const isNamed = namespaces.size <= mostNamed && !namespaces.has(undefined);
  const where = isNamed ? [...namespaces].map((name) => `-n ${name}`) : ['-A'];
  return ['sidecar-sweeper advise', ...where].join(' ');
}
