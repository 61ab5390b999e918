import { expect, it } from 'vitest';
import type { Unfitness } from '../../../src/methods/method.ts';
import { whySignalsAreUnfit } from '../../../src/methods/unfit-signals.ts';
import type { PodView } from '../../../src/vocabulary/pod.ts';
import { podView } from '../../builders/pod-view.ts';

const node: Unfitness = { reason: 'SeesTheNode', detail: 'hostPID' };
const pause: Unfitness = {
  reason: 'ShownOtherwise',
  detail: 'PID 1 is the pause container; ending it ends the pod',
};

it.each<readonly [PodView['processNamespace'], reachesPid1: boolean, Unfitness | undefined]>([
  ['Container', false, undefined],
  ['Container', true, undefined],
  ['Pod', false, undefined],
  ['Pod', true, pause],
  ['Node', false, node],
  ['Node', true, node],
])('in the process namespace of the %s, reaching PID 1: %s', (processNamespace, reachesPid1, expected) => {
  expect(whySignalsAreUnfit(podView({ processNamespace }), reachesPid1)).toEqual(expected);
});
