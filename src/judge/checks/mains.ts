import { noStatus } from '../../pod/no-status.ts';
import { willRestart } from '../../pod/restart.ts';
import type { Check } from './subject.ts';

export const noMain: Check<'NoMain'> = ({ mains }) => (mains.length === 0 ? [{ kind: 'NoMain' }] : []);

export const mainRunning: Check<'MainRunning'> = ({ mains }) =>
  mains.flatMap(({ container: { name, state } }) =>
    state.kind === 'Running' ? [{ kind: 'MainRunning' as const, container: name }] : [],
  );

/** A main that is waiting still has work to do: it has not started, or is between two runs. */
export const mainWaiting: Check<'MainWaiting'> = ({ mains }) =>
  mains.flatMap(({ container: { name, state } }) => {
    if (state.kind !== 'Waiting' && state.kind !== 'Unreported') return [];
    const reason = state.kind === 'Waiting' ? state.reason : noStatus;
    return [{ kind: 'MainWaiting' as const, container: name, reason }];
  });

export const mainWillRestart: Check<'MainWillRestart'> = ({ mains, pod }) =>
  mains.flatMap(({ container }) => {
    const { name, state } = container;
    if (state.kind !== 'Terminated' || !willRestart(container, pod.restartPolicy, state.exitCode)) return [];
    return [{ kind: 'MainWillRestart' as const, container: name, exitCode: state.exitCode }];
  });
