import { expect } from 'vitest';
import { narrowPod } from '../../src/kube/narrow.ts';
import type { PodView } from '../../src/vocabulary.ts';

/** What the product takes from a pod of the API; a malformed one fails the test that asked for it. */
export function narrowed(value: unknown): PodView {
  const pod = narrowPod(value);
  if ('problem' in pod) expect.fail(`malformed: ${pod.problem}`);
  return pod;
}
