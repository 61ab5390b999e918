import { expect, it } from 'vitest';
import type { ContainerState } from '../../../../src/model/pod.ts';
import { describeState } from '../../../../src/report/explain/container-state.ts';
import { exited, exitedAtUnknownTime, minute, now, running, waiting } from '../../../builders/pod-view.ts';

it.each<readonly [state: ContainerState, words: string]>([
  [running, 'running for 2h'],
  [{ kind: 'Running', startedAt: undefined }, 'running'],
  [waiting('ImagePullBackOff'), 'waiting (ImagePullBackOff)'],
  [exited(0), 'exited 0 1h ago'],
  [exited(3), 'exited 3 (Error) 1h ago'],
  [{ ...exited(3), reason: '' }, 'exited 3 1h ago'],
  [exitedAtUnknownTime(), 'exited 0, time unknown'],
  // The clocks of a node and of the API server may differ.
  [{ kind: 'Running', startedAt: now + minute }, 'running, time in the future'],
  [{ kind: 'Unreported' }, 'unknown'],
])('%j: %s', (state, words) => {
  expect(describeState(state, now)).toBe(words);
});

it('without the server’s time, no age is shown', () => {
  expect(describeState(running, undefined)).toBe('running');
  expect(describeState(exited(3), undefined)).toBe('exited 3 (Error), time unknown');
});
