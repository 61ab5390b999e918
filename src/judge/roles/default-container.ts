import { annotation, defaultContainerKey } from '../../pod/annotations.ts';
import type { Source } from './source.ts';

/** The container that kubectl uses by default is the one that does the work. */
export const isDefaultContainer: Source = (pod) => {
  const byDefault = annotation(pod.annotations, defaultContainerKey)?.trim();
  return ({ name }) =>
    name === byDefault ? { role: 'Main', because: { kind: 'DefaultContainer' } } : undefined;
};
