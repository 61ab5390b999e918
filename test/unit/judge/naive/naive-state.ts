import type { ApiPod } from './api-types.ts';

export interface NaiveState {
  readonly is: 'running' | 'waiting' | 'terminated' | 'unknown';
  readonly exitCode: number;
  /** NaN when nobody can tell. */
  readonly finishedAt: number;
}

/** What the status says of a container. */
export function stateOf(pod: ApiPod, name: string): NaiveState {
  const nothing = { exitCode: Number.NaN, finishedAt: Number.NaN };
  const status = pod.status.containerStatuses?.find((one) => one.name === name);
  if (!status) return { is: 'unknown', ...nothing };
  if (status.state.terminated) {
    const { exitCode, finishedAt } = status.state.terminated;
    const time = new Date(finishedAt ?? 'never').getTime();
    return { is: 'terminated', exitCode, finishedAt: time > 0 ? time : Number.NaN };
  }
  return { is: status.state.running ? 'running' : 'waiting', ...nothing };
}
