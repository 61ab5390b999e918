import type { WhyStuck } from '../../advise/advice.ts';
import { describeNodes } from '../../advise/native.ts';

/** Why a sidecar keeps pods from ending although there are native sidecars. */
export function describeWhy(why: WhyStuck): string {
  switch (why.kind) {
    case 'InTemplate':
      return 'the template has it under containers, so the pod waits for it';
    case 'AlwaysOnRegular':
      return 'its restartPolicy: Always only restarts it, because it is not an init container';
    case 'AlreadyNative':
      return 'the template now has it as a native sidecar, but these pods are older';
    case 'NotInTemplate':
      return 'it is not in the template: something injected it, as a regular container';
    case 'TemplateUnknown':
      return `where it comes from is unknown (${why.problem})`;
    case 'SwitchUnset':
      return `${why.key} is not set`;
    case 'SwitchMisspelt':
      return `the pod has ${why.key}, which this version does not read; it reads ${why.meant}`;
    case 'SwitchOff':
      return `${why.key} is ${JSON.stringify(why.value)}`;
    case 'SwitchInVain':
      return `${why.key} is set, but the injector ignored it: check its version`;
    case 'OldNodes':
      return `nodes have kubelets older than ${why.kubelet}: ${describeNodes(why)}`;
  }
}
