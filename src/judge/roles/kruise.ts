import type { Source } from './source.ts';

const variable = 'KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT';
/** Used on virtual nodes; its value is the image that replaces the sidecar's. */
const variableWithImage = `${variable}_WITH_IMAGE`;

/** OpenKruise's SidecarTerminator: a variable of the sidecar, `true` in upper or lower case. */
export const kruiseSidecar: Source =
  () =>
  ({ env }) => {
    const value = Object.hasOwn(env, variable) ? env[variable] : undefined;
    if (value?.toLowerCase() === 'true')
      return { role: 'Sidecar', because: { kind: 'Variable', name: variable } };
    if (Object.hasOwn(env, variableWithImage) && env[variableWithImage] !== '') {
      return { role: 'Sidecar', because: { kind: 'Variable', name: variableWithImage } };
    }
    return undefined;
  };
