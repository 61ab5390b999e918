import { expect, it } from 'vitest';
import type { WhyStuck } from '../../../../src/advise/advice.ts';
import { describeWhy } from '../../../../src/report/texts/why-stuck.ts';

const nodes = [{ name: 'a', kubelet: 'v1.32.0' }];

it.each<readonly [WhyStuck, string]>([
  [{ kind: 'InTemplate' }, 'the template has it under containers, so the pod waits for it'],
  [
    { kind: 'AlwaysOnRegular' },
    'its restartPolicy: Always only restarts it, because it is not an init container',
  ],
  [{ kind: 'AlreadyNative' }, 'the template now has it as a native sidecar, but these pods are older'],
  [{ kind: 'NotInTemplate' }, 'it is not in the template: something injected it, as a regular container'],
  [{ kind: 'TemplateUnknown', problem: 'forbidden' }, 'where it comes from is unknown (forbidden)'],
  [{ kind: 'SwitchUnset', key: 'k' }, 'k is not set'],
  [
    { kind: 'SwitchMisspelt', key: 'k', meant: 'key' },
    'the pod has k, which this version does not read; it reads key',
  ],
  [{ kind: 'SwitchOff', key: 'k', value: 'no' }, 'k is "no"'],
  [{ kind: 'SwitchInVain', key: 'k' }, 'k is set, but the injector ignored it: check its version'],
  [
    { kind: 'OldNodes', kubelet: '1.33', nodes, more: 1 },
    'nodes have kubelets older than 1.33: a (v1.32.0) and 1 more',
  ],
])('%j reads: %s', (why, text) => {
  expect(describeWhy(why)).toBe(text);
});
