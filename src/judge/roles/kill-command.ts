import { annotation, killCommandKeys, stepsKey } from '../../pod/annotations.ts';
import type { Source } from './source.ts';

/** A container that ends by itself needs no kill command. */
export const hasKillCommand: Source =
  (pod) =>
  ({ name }) => {
    const key = [...killCommandKeys(name), stepsKey(name)].find(
      (each) => annotation(pod.annotations, each) !== undefined,
    );
    return key === undefined ? undefined : { role: 'Sidecar', because: { kind: 'KillCommand', key } };
  };
