import { describe, expect, it } from 'vitest';
import { sharedPidNamespaceAvailable } from '../../kit/emulator/index.ts';
import { itUnless } from '../../kit/needs.ts';
import { recordingFiles } from '../../kit/replay/recording.ts';
import { replayAll } from '../../kit/replay/replay-all.ts';
import { missingFor, needsProcesses, replayerOf } from '../../kit/replay/replayers.ts';

describe('the emulator answers like the recorded cluster', () => {
  const noProcesses = sharedPidNamespaceAvailable();
  const whyNot = (file: string) =>
    (needsProcesses(nameOf(file)) ? noProcesses : undefined) ?? missingFor(nameOf(file));
  const playable = recordingFiles.filter((file) => whyNot(file) === undefined);
  const replays = replayAll(playable);

  it('has a replayer for every recording', () => {
    expect(recordingFiles.length).toBeGreaterThan(50);
    const unplayed = recordingFiles.filter((file) => !replayerOf(nameOf(file)));
    expect(unplayed).toEqual([]);
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
