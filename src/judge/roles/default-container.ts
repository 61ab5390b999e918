import { annotation, defaultContainerKey } from '../annotations.ts';
import type { Source } from './source.ts';

/** The container that kubectl means is the one that people care about. */
export const isDefaultContainer: Source = ({ name }, pod) =>
  annotation(pod.annotations, defaultContainerKey)?.trim() === name
    ? { role: 'Main', because: { kind: 'DefaultContainer' } }
    : undefined;
