import type { PodView } from '../model/pod.ts';
import type { Unfitness } from './method.ts';

/** Whether the command is a different one for each signal. */
export function hasSignal(words: readonly string[]): boolean {
  return words.some((word) => word.includes('%d'));
}

/** Every `%d` becomes the signal's number; nothing else in the command is touched. */
export function withSignal(words: readonly string[], signal: number): readonly string[] {
  return words.map((word) => word.split('%d').join(String(signal)));
}

/** Whether a command is one that sends signals to processes it finds by number or name. */
export function sendsSignals(words: readonly string[]): boolean {
  return /(?:^|[\s/;&|(])(?:p?kill|killall)(?:\s|$)/.test(words.join(' '));
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

/** Why signals sent from inside a container of this pod would reach others than the sidecar. */
export function whySignalsAreUnfit(
  { processNamespace }: PodView,
  reachesPid1: boolean,
): Unfitness | undefined {
  switch (processNamespace) {
    case 'Node':
      // There PID 1 is the node's init process, and every process of the node is in sight.
      return { reason: 'SeesTheNode', detail: 'hostPID' };
    case 'Pod':
      return reachesPid1
        ? { reason: 'ShownOtherwise', detail: 'PID 1 is the pause container; ending it ends the pod' }
        : undefined;
    case 'Container':
      return undefined;
  }
}
