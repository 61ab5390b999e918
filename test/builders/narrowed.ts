import { expect } from 'vitest';
import { narrowPod } from '../../src/kube/pods/narrow.ts';
import type { PodView } from '../../src/model/pod.ts';

/** Narrows an API pod as the product does; a malformed one fails the test. */
export function narrowed(value: unknown): PodView {
  const pod = narrowPod(value);
  if ('problem' in pod) expect.fail(`malformed: ${pod.problem}`);
  return pod;
}
