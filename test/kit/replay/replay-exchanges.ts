import type { Emulator, EmulatorOptions } from '../emulator/index.ts';
import { exchange } from './client.ts';
import { asRecorded } from './play-exchanges.ts';
import type { Exchange, RecordedRequest, Recording } from './recording.ts';
import type { Replay } from './replayers.ts';
import { withStage } from './stage.ts';

/** How to replay a recorded exchange: the state it needs and the changes to its requests. */
export interface ExchangeCase {
  readonly options?: EmulatorOptions & { readonly speed?: number };
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
  readonly send?: { readonly channel: number; readonly text: string; readonly afterFrames: number };
}

/** Sends the recorded requests in order. */
export function replayExchanges(recording: Recording, play: ExchangeCase = {}): Promise<Replay> {
  return withStage({ runtime: 'light', ...play.options }, async (emulator) => {
    const token = (await play.given?.(emulator)) || emulator.token;
    const exchanges: Exchange[] = [];
    for (const [index, recorded] of (recording.exchanges ?? []).entries()) {
      const { request } = recorded;
      const sent = play.adapt?.(request, exchanges) ?? request;
      const answer = await exchange({ ...emulator, token }, sent, {
        ...(play.headers ? { headers: play.headers } : {}),
        ...(play.send ? { send: play.send } : {}),
      });
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
