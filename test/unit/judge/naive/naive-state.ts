import type { ApiPod } from './api-types.ts';

export interface NaiveState {
  readonly is: 'running' | 'waiting' | 'terminated' | 'unknown';
  readonly exitCode: number;
  /** Undefined if unknown. */
  readonly finishedAt: number | undefined;
}

/** The state of a container in the status. */
export function stateOf(pod: ApiPod, name: string): NaiveState {
  const nothing = { exitCode: Number.NaN, finishedAt: undefined };
  const status = pod.status.containerStatuses?.find((one) => one.name === name);
  if (!status) return { is: 'unknown', ...nothing };
  if (status.state.terminated) {
    const { exitCode, finishedAt } = status.state.terminated;
    const time = new Date(finishedAt ?? 'never').getTime();
    return { is: 'terminated', exitCode, finishedAt: time > 0 ? time : undefined };
  }
  return { is: status.state.running ? 'running' : 'waiting', ...nothing };
}
