import pLimit from 'p-limit';
import { readRecording } from './recording.ts';
import { type Replay, replayerOf } from './replayers.ts';

/** Most replays wait for graces and back-offs to pass: many of them can wait at the same time. */
const atATime = 16;

/** The longest one first, so that it does not begin when all others are done. */
const first = 'jobs-after.json';

/** Begins to play the recordings; each ends in its own time. */
export function replayAll(files: readonly string[]): ReadonlyMap<string, Promise<Replay>> {
  const limit = pLimit(atATime);
  return new Map(
    [...files]
      .sort((one, other) => Number(other === first) - Number(one === first))
      .map((file) => {
        const replay = limit(async () => {
          const play = replayerOf(file.replace('.json', ''));
          if (!play) throw new Error(`nobody plays ${file}`);
          return play(readRecording(file));
        });
        // Its own test reports a failure; it must not end the others before that.
        replay.catch(() => {});
        return [file, replay];
      }),
  );
}
