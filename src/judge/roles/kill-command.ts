import { annotation, killCommandKeys, stepsKey } from '../annotations.ts';
import type { Source } from './source.ts';

/** Nobody writes down how a container is to be ended that ends by itself. */
export const hasKillCommand: Source = ({ name }, pod) => {
  const key = [...killCommandKeys(name), stepsKey(name)].find(
    (each) => annotation(pod.annotations, each) !== undefined,
  );
  return key === undefined ? undefined : { role: 'Sidecar', because: { kind: 'KillCommand', key } };
};
