import type { Emulator, Job, Pod } from '../emulator/index.ts';
import { exchange } from './client.ts';
import { isOf124 } from './kubernetes-1-24.ts';
import type { Exchange, Moment, RecordedRequest, Recording } from './recording.ts';
import type { PodCase } from './replay-pod.ts';
import { eventually } from './stage.ts';

/** The replayed pod and Job, in place of the recorded ones. */
export interface Players {
  readonly recordedName: string;
  readonly pod: Pod;
  readonly job: Job;
}

/** A recorded request for the replayed pod or Job. */
export function adaptRequest(recording: Recording, recorded: Exchange, players: Players): Exchange {
  const { path, body, protocols, ...request } = recorded.request;
  const { pod, job, recordedName } = players;
  const { uid } = path.includes('/jobs/') ? job.metadata : pod.metadata;
  const rename = (text: string) =>
    text
      .replaceAll(recordedName, pod.metadata.name)
      .replace(/("path":"\/metadata\/uid","value":")[^"]+/, `$1${uid}`);
  const asked = isOf124(recording) ? protocols?.filter((each) => each.startsWith('v4')) : protocols;
  const adapted: RecordedRequest = {
    ...request,
    path: rename(path),
    ...(body === undefined ? {} : { body: rename(body) }),
    ...(asked === undefined ? {} : { protocols: asked }),
  };
  return { ...recorded, request: adapted };
}

/** Sends the requests. The last waits for the moment after which it was recorded, if the timeline says so. */
export async function playExchanges(
  emulator: Emulator,
  recorded: readonly Exchange[],
  { cut, send }: PodCase,
  lastWaitsFor: () => boolean = () => true,
): Promise<Exchange[]> {
  const replayed: Exchange[] = [];
  for (const [index, one] of recorded.entries()) {
    if (index > 0 && index === recorded.length - 1) await eventually(lastWaitsFor, (isSo) => isSo);
    const seen = asRecorded(one, await exchange(emulator, one.request, send ? { send } : {}));
    replayed.push(cut && seen.body !== undefined ? { ...seen, body: cut(seen.body as Pod) } : seen);
  }
  return replayed;
}

/** Some recordings have no headers, or no bodies, of HTTP answers. */
export function asRecorded(recorded: Exchange, { headers, body, ...seen }: Exchange): Exchange {
  const withHeaders = recorded.headers !== undefined || seen.frames !== undefined;
  return {
    ...seen,
    ...(headers && withHeaders ? { headers } : {}),
    ...(body === undefined || recorded.body === undefined ? {} : { body }),
  };
}

/** Whether the replay has come as far as the recording when the image was put back. */
export function reachedPatchBack({ timeline = [] }: Recording, moments: readonly Moment[]): boolean {
  const at = timeline.findIndex((moment) => 'patchedBack' in moment);
  const wanted = (timeline as readonly Moment[])[at - 1]?.containers?.[1];
  if (!wanted) return true;
  const { state, restartCount } = moments.at(-1)?.containers?.[1] ?? {};
  return state === wanted.state && restartCount === wanted.restartCount;
}
