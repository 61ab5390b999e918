import { describe, expect, it } from 'vitest';
import { agrees, compare } from '../../kit/replay/compare.ts';
import { type Recording, readRecording } from '../../kit/replay/recording.ts';

function tamper(recording: Recording, path: string, value: unknown): Recording {
  const copy = structuredClone(recording);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at = copy as unknown as Record<string, unknown>;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  if (!(last in at)) throw new Error(`the recording has no ${path}`);
  at[last] = value;
  return copy;
}

/** A recorded protobuf body with a text replaced by one of the same length. */
function inProtobuf(index: number, text: string, replacement: string): string {
  const { bodyBase64 = '' } = readRecording('list-protobuf.json').exchanges?.[index] ?? {};
  const body = Buffer.from(bodyBase64, 'base64').toString('latin1');
  if (!body.includes(text)) throw new Error(`the recording has no ${text}`);
  return Buffer.from(body.replace(text, replacement), 'latin1').toString('base64');
}

/** One change of each kind of observation. */
const tamperings: readonly (readonly [file: string, path: string, value: unknown])[] = [
  ['get-pod-not-found', 'exchanges.0.status', 410],
  ['get-pod-not-found', 'exchanges.0.body.message', 'pods "nosuch" was not found'],
  ['get-pod-not-found', 'exchanges.0.headers.content-length', '181'],
  ['exec-v4', 'exchanges.0.frames.1.text', 'ho\n'],
  ['exec-v4', 'exchanges.0.close.code', 1006],
  ['exec-v4', 'exchanges.0.upgrade.protocol', 'v5.channel.k8s.io'],
  ['exec-into-ended-container', 'steps.0.response.status', 404],
  ['term-clean-exit', 'steps.0.frames.1.text', '{"metadata":{},"status":"Failure"}'],
  ['term-clean-exit', 'podBefore.status.phase', 'Pending'],
  ['term-clean-exit', 'timeline.1.containers.1.exitCode', 1],
  ['term-clean-exit', 'podsAfter.0.status.phase', 'Failed'],
  ['term-clean-exit', 'podsAfter.0.status.conditions.2.reason', 'PodFailed'],
  ['term-clean-exit', 'podsAfter.0.metadata.generation', 2],
  ['term-clean-exit', 'jobAfter.status.succeeded', 2],
  ['container-restarts-always-swap', 'podStatusAfter.0.status.conditions.2.reason', 'PodCompleted'],
  ['event-generate-name', 'exchanges.3.body.metadata.name', 'aaaa-92w5b'],
  ['image-swap-onfailure-backoff-one-fails', 'jobBefore.spec.backoffLimit', 2],
  ['image-swap-onfailure-backoff-one-fails', 'jobStatusAfter.failed', 0],
  ['image-swap-onfailure-backoff-one-fails', 'timeline.4.gone', false],
  ['image-swap-onfailure-staged', 'timeline.4.restarts', 6],
  ['image-swap-onfailure-staged', 'timeline.4.pods.Succeeded', 4],
  ['image-swap-onfailure-wave-fails', 'timeline.6.job.conditions.0', 'Complete'],
  ['job-both-backoff-limits', 'jobAfter.status.conditions.1.reason', 'FailedIndexes'],
  ['job-work-queue-after-success', 'podsBefore.0.status.phase', 'Pending'],
  ['image-swap-start-error-never', 'podStatusAfter.0.phase', 'Succeeded'],
  ['old-exec-term', 'podStatusAfter.0.status.containerStatuses.1.state.terminated.exitCode', 1],
  ['ephemeral-container-term', 'statusAfter.ephemeralContainerStatuses.0.state.terminated.exitCode', 1],
  ['list-expired-continue', 'exchanges.0.body.metadata.continue', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Mn0'],
  ['list-protobuf', 'exchanges.1.headers.content-type', 'application/json'],
  ['list-protobuf', 'exchanges.1.bodyBase64', inProtobuf(1, 'PodList', 'PodLost')],
  ['list-protobuf', 'exchanges.2.bodyBase64', inProtobuf(2, '\x10\xa4\x03', '\x10\xa5\x03')],
  ['list-protobuf', 'exchanges.3.bodyBase64', inProtobuf(3, 'NotFound', 'NotFounD')],
  ['watch-pod-ends', 'exchanges.0.events.1.object.status.phase', 'Succeeded'],
  ['jobs-after', 'items.0.status.active', 2],
  ['pods-after', 'items.0.metadata.annotations', {}],
];

describe('the comparison of recordings and replays', () => {
  it.each(tamperings)('in %s, detects a change of %s', (file, path, value) => {
    const recording = readRecording(`${file}.json`);
    const tampered = tamper(recording, path, value);
    expect(agrees(compare(recording, recording))).toBe(true);
    expect(agrees(compare(recording, tampered))).toBe(false);
    expect(agrees(compare(tampered, recording))).toBe(false);
  });

  it('detects missing observations', () => {
    const recording = readRecording('term-clean-exit.json');
    const { timeline, ...rest } = recording;
    expect(agrees(compare(recording, rest))).toBe(false);
    expect(agrees(compare(recording, { ...recording, timeline: timeline?.slice(0, -1) ?? [] }))).toBe(false);
  });
});
