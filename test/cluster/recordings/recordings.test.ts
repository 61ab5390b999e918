import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { sharedPidNamespaceAvailable } from '../../kit/emulator/index.ts';
import { itUnless } from '../../kit/needs.ts';
import { agrees, type Comparison, compare } from '../../kit/replay/compare.ts';
import { readRecording, recordingFiles } from '../../kit/replay/recording.ts';
import { forgetSession } from '../../kit/replay/replay-session.ts';
import { missingFor, needsProcesses, replayerOf } from '../../kit/replay/replayers.ts';
import { slowedDown } from '../../kit/replay/stage.ts';

/** Replays mostly wait for grace periods and back-offs, so many can run at the same time. */
const atATime = 16;

/** The longest replay starts first, so that the others do not wait for it at the end. */
const first = 'jobs-after.json';

/** How much slower a replay runs that did not agree: on a busy machine, processes start and end late. */
const slower = 4;

function replayAll(files: readonly string[]): ReadonlyMap<string, Promise<Comparison>> {
  const limit = pLimit(atATime);
  const tries = new Map(
    [...files]
      .sort((one, other) => Number(other === first) - Number(one === first))
      .map((file) => [file, limit(() => compared(file))] as const),
  );
  const allTried = Promise.allSettled(tries.values()).then(forgetSession);
  const oneByOne = pLimit(1);
  return new Map(
    [...tries].map(([file, tried]) => {
      const again = () => oneByOne(() => slowedDown(slower, () => compared(file)));
      const result = tried
        .then(agrees, () => false)
        .then((didAgree) => (didAgree ? tried : allTried.then(again)));
      // Its test reports the failure. An unhandled rejection would stop the other replays.
      result.catch(() => {});
      return [file, result];
    }),
  );
}

async function compared(file: string): Promise<Comparison> {
  const recording = readRecording(file);
  const { observations, aliases } = await replayerOf(nameOf(file))(recording);
  return compare(recording, observations, aliases);
}

describe('the emulator answers like the recorded cluster', () => {
  const noProcesses = sharedPidNamespaceAvailable();
  const whyNot = (file: string) =>
    (needsProcesses(nameOf(file)) ? noProcesses : undefined) ?? missingFor(nameOf(file));
  const playable = recordingFiles.filter((file) => whyNot(file) === undefined);
  const replays = replayAll(playable);

  it('has many recordings to replay', () => {
    expect(recordingFiles.length).toBeGreaterThan(50);
  });

  for (const file of recordingFiles) {
    itUnless(whyNot(file), nameOf(file), async () => {
      const { recorded, replayed } = (await replays.get(file)) ?? expect.fail('it was not replayed');
      expect(replayed).toEqual(recorded);
    });
  }
});

function nameOf(file: string): string {
  return file.replace('.json', '');
}
