import * as replay from '../kit/replay/recording.ts';

export function readRecording(name: string): replay.Recording {
  return replay.readRecording(`${name}.json`);
}

/** The initial pods of the recordings that have one, with the name of the recording. */
export function podsBefore(): readonly (readonly [recording: string, pod: unknown])[] {
  return replay.recordingFiles.flatMap((file) => {
    const { podBefore } = replay.readRecording(file);
    return podBefore === undefined ? [] : [[file.replace('.json', ''), podBefore] as const];
  });
}

export function podsAfter(): readonly unknown[] {
  return readRecording('pods-after').items ?? [];
}

/** The final message on the status channel of the only exec, or of the n-th. */
export function statusFrame(name: string, index = 0): string {
  const frame = exchangesOf(name)[index]?.frames?.find(({ channel }) => channel === 3);
  if (!frame) throw new Error(`the recording ${name} has no status frame`);
  return frame.text;
}

export function refusedUpgrade(name: string): replay.Response {
  const [refused] = exchangesOf(name);
  if (!refused?.response) throw new Error(`the recording ${name} has no refused upgrade`);
  return refused.response;
}

function exchangesOf(name: string): readonly replay.Exchange[] {
  const { steps, exchanges } = readRecording(name);
  return steps ?? exchanges ?? [];
}
