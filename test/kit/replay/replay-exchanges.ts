import type { Emulator, EmulatorOptions, Job, Pod } from '../emulator/index.ts';
import { exchange } from './client.ts';
import { isOf124 } from './kubernetes-1-24.ts';
import type { Exchange, Moment, RecordedRequest, Recording } from './recording.ts';
import type { PodCase } from './replay-pod.ts';
import type { Replay } from './replayers.ts';
import { eventually, withStage } from './stage.ts';

/** How to replay a recorded exchange: the state it needs and the changes to its requests. */
export interface ExchangeCase {
  readonly options?: EmulatorOptions;
  /** Creates the objects it needs; may return a token for the requests. */
  readonly given?: (
    emulator: Emulator,
  ) => Promise<string | undefined> | string | undefined | Promise<void> | void;
  readonly headers?: Readonly<Record<string, string>>;
  /** The only headers of answers that the recorder kept. */
  readonly recordedHeaders?: readonly string[];
  /** Adapts requests to earlier answers: a continue token, a resourceVersion. */
  readonly adapt?: (request: RecordedRequest, earlier: readonly Exchange[]) => RecordedRequest;
  /** Reduces bodies to the part that the recorder kept. */
  readonly cut?: (body: Record<string, unknown>, index: number) => unknown;
}

export function replayExchanges(recording: Recording, play: ExchangeCase = {}): Promise<Replay> {
  return withStage({ runtime: 'light', ...play.options }, async (emulator) => {
    const token = (await play.given?.(emulator)) || emulator.token;
    const exchanges: Exchange[] = [];
    for (const [index, recorded] of (recording.exchanges ?? []).entries()) {
      const { request } = recorded;
      const sent = play.adapt?.(request, exchanges) ?? request;
      const answer = await exchange({ ...emulator, token }, sent, { headers: play.headers ?? {} });
      const seen = asRecorded(recorded, withHeaders(answer, play.recordedHeaders));
      exchanges.push(
        play.cut && seen.body
          ? { ...seen, body: play.cut(seen.body as Record<string, unknown>, index) }
          : seen,
      );
    }
    return { observations: { exchanges }, aliases: new Map() };
  });
}

function withHeaders(answer: Exchange, kept: readonly string[] | undefined): Exchange {
  if (!kept || !answer.headers) return answer;
  const entries = Object.entries(answer.headers).filter(([name]) => kept.includes(name));
  return { ...answer, headers: Object.fromEntries(entries) };
}

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
function asRecorded(recorded: Exchange, { headers, body, ...seen }: Exchange): Exchange {
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
