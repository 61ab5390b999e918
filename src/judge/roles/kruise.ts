import type { Source } from './source.ts';

const variable = 'KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT';
/** On virtual nodes, with the image that the sidecar is to be swapped for. */
const variableWithImage = `${variable}_WITH_IMAGE`;

/** OpenKruise's SidecarTerminator: a variable of the sidecar itself, `true` in any case. */
export const kruiseSidecar: Source = ({ env }) => {
  const value = Object.hasOwn(env, variable) ? env[variable] : undefined;
  if (value?.toLowerCase() === 'true')
    return { role: 'Sidecar', because: { kind: 'Variable', name: variable } };
  if (Object.hasOwn(env, variableWithImage) && env[variableWithImage] !== '') {
    return { role: 'Sidecar', because: { kind: 'Variable', name: variableWithImage } };
  }
  return undefined;
};
