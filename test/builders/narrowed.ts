import { expect } from 'vitest';
import { type NarrowedPod, readPodView } from '../../src/kube/pods/narrow.ts';
import type { PodView } from '../../src/model/pod.ts';
import { podBytes } from './pods-in-protobuf.ts';

/** Reads an API pod as the product does, from protobuf. */
export function read(pod: object): NarrowedPod {
  return readPodView(podBytes(pod));
}

/** The same; a malformed one fails the test. */
export function narrowed(pod: unknown): PodView {
  const view = read(Object(pod));
  if ('problem' in view) expect.fail(`malformed: ${view.problem}`);
  return view;
}
