import pLimit from 'p-limit';
import { readRecording } from './recording.ts';
import { type Replay, replayerOf } from './replayers.ts';

/** Replays mostly wait for grace periods and back-offs, so many can run at the same time. */
const atATime = 16;

/** The longest replay starts first, so that the others do not wait for it at the end. */
const first = 'jobs-after.json';

/** Starts the replays of all recordings. */
export function replayAll(files: readonly string[]): ReadonlyMap<string, Promise<Replay>> {
  const limit = pLimit(atATime);
  return new Map(
    [...files]
      .sort((one, other) => Number(other === first) - Number(one === first))
      .map((file) => {
        const replay = limit(async () => {
          const play = replayerOf(file.replace('.json', ''));
          if (!play) throw new Error(`no replayer for ${file}`);
          return play(readRecording(file));
        });
        // Its test reports the failure. An unhandled rejection would stop the other replays.
        replay.catch(() => {});
        return [file, replay];
      }),
  );
}
