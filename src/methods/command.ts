import * as z from 'zod';
import type { PodView } from '../model/pod.ts';
import type { Millis } from '../util/time.ts';
import { isAllowed, word } from './allowlist.ts';
import { failedExit, toAttempt } from './attempt.ts';
import { defineMethod, type StepCommon, type Unfitness, writtenStep } from './method.ts';
import { execRule } from './permissions.ts';

export interface CommandStep extends StepCommon {
  readonly method: 'Command';
  readonly command: readonly string[];
  /** It sends KILL, because TERM has not ended the sidecar. */
  readonly kills?: true;
}

const SIGTERM = 15;
const SIGKILL = 9;

/** Runs a command in the container: its owner's, or one that the image has for this purpose. */
export const command = defineMethod({
  name: 'Command',
  ends: 'Container',
  rbac: [execRule],
  written: writtenStep('Command', {
    command: z
      .array(word.min(1))
      .min(1)
      .max(64)
      .describe('run in the container; %d stands for the number of the signal'),
  }),
  whyUnfit(spec, { pod }) {
    const calls = whyCallsAreUnfit(pod, spec.command);
    const reachesPid1 = signalsPid1(spec.command);
    const isSignal = reachesPid1 || sendsSignals(spec.command);
    return calls ?? (isSignal ? whySignalsAreUnfit(pod, reachesPid1) : undefined);
  },
  isAdmitted: (spec, { patterns }) => isAllowed(spec.command, patterns),
  toSteps: (spec, common): readonly CommandStep[] => {
    const asked = { ...common, method: 'Command', command: withSignal(spec.command, SIGTERM) } as const;
    if (!spec.command.some((each) => each.includes('%d'))) return [asked];
    // As Kubernetes ends a container: TERM, the grace period, KILL. The declared exit code applies to TERM alone.
    const killed = { grace: timeToShow(common.grace), exitCode: undefined };
    return [asked, { ...asked, command: withSignal(spec.command, SIGKILL), kills: true, ...killed }];
  },
  describeSpec: (spec) => spec.command.join(' '),
  describe: (step) => `run ${step.command.join(' ')}`,
  async send({ command: words }, { cluster, pod, containers: [container], abort }) {
    const [program = ''] = words;
    const result = await cluster.exec(pod, container, words, abort);
    // `kill` exits with 0 even if nothing happens, and the command is killed (137) together with the PID 1 that it ended.
    return toAttempt(result, program, (exitCode, output) =>
      exitCode === 0 ? { kind: 'Accepted' } : failedExit(exitCode, output, program),
    );
  },
});

/** How long the effect of KILL takes to appear: the kubelet reports the end of a container 1 to 2 seconds later. */
export function timeToShow(grace: Millis): Millis {
  return Math.min(Math.max(grace, 2_000), 5_000);
}

/** Every `%d` becomes the signal's number; nothing else in the command is touched. */
export function withSignal(words: readonly string[], signal: number): readonly string[] {
  return words.map((word) => word.replaceAll('%d', String(signal)));
}

export function sendsSignals(words: readonly string[]): boolean {
  return /(?:^|[\s/;&|(])(?:p?kill|killall)(?:\s|$)/.test(words.join(' '));
}

/** Why a command must not call an endpoint on the loopback: in this pod, another process of the node may listen there. */
export function whyCallsAreUnfit({ hostNetwork }: PodView, words: readonly string[]): Unfitness | undefined {
  const calls =
    /(?:^|[\s/;&|(])(?:curl|wget|pilot-agent|linkerd-await)(?:\s|$)|-proxy shutdown$|localhost|127\.0\.0\.1|(?<![\w:])::1\b/;
  return hostNetwork && calls.test(words.join(' '))
    ? { reason: 'SeesTheNode', detail: 'hostNetwork' }
    : undefined;
}

/** Whether a command signals PID 1, or all processes, which is -1. */
export function signalsPid1(words: readonly string[]): boolean {
  return [...words.join(' ').matchAll(/\bkill\s+([^;&|<>()]*)/g)].some(([, rest = '']) => {
    const [first = '', ...others] = rest.replace(/["']/g, '').split(/\s+/);
    const targets = /^-[sn]$/.test(first)
      ? others.slice(1)
      : first.startsWith('-')
        ? others
        : [first, ...others];
    return targets.includes('1') || targets.includes('-1');
  });
}

/** Why signals sent from inside a container of this pod would reach other processes than the sidecar's. */
export function whySignalsAreUnfit(
  { processNamespace }: PodView,
  reachesPid1: boolean,
): Unfitness | undefined {
  // There, PID 1 is the node's init process, and all processes of the node are visible.
  if (processNamespace === 'Node') return { reason: 'SeesTheNode', detail: 'hostPID' };
  if (processNamespace === 'Container' || !reachesPid1) return undefined;
  return { reason: 'ShownOtherwise', detail: 'PID 1 is the pause container; ending it ends the pod' };
}
