import type { PodReport, SweepReport } from '../../src/report/schema.ts';
import type { RequestRecord } from '../kit/emulator/index.ts';
import { isSend } from './races/watcher.ts';

export function outcomesOf({ pods }: SweepReport): readonly (readonly string[])[] {
  return pods.map((pod) => [pod.outcome.kind, ...sidecarsOf(pod).map(({ outcome }) => outcome.kind)]);
}

export function sidecarsOf({ containers }: PodReport) {
  return containers.flatMap((one) => (one.role === 'Sidecar' ? one : []));
}

/** The paths of those requests that may end something. */
export function sentAmong(requests: readonly RequestRecord[]): readonly string[] {
  return requests.filter(isSend).map(({ path }) => path);
}

/** Requests that change the pod or its containers, although it was not read since the one before. */
export function writtenBlindly(requests: readonly RequestRecord[]): readonly string[] {
  let isKnown = false;
  return requests
    .filter(({ resource }) => resource === 'pods')
    .flatMap(({ method, subresource, path, status }) => {
      const isRead = method === 'GET' && subresource === '';
      const isBlind = !isRead && !isKnown && !changesNothing(path);
      // Who is not known to the server has changed nothing.
      if (status !== 401) isKnown = isRead && (isKnown || status === 200);
      return isBlind ? [`${method} ${path}`] : [];
    });
}

/** The command that only a running container can run. */
function changesNothing(path: string): boolean {
  return new URL(path, 'https://server').searchParams.getAll('command').includes(':');
}
