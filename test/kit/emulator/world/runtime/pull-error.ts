import type { Container } from '../objects.ts';
import { StartError } from '../runtime.ts';

/** The error for an image that neither the node nor a registry has. */
export function pullError({ image, imagePullPolicy }: Container): StartError {
  if (imagePullPolicy === 'Never') {
    return new StartError(
      'ErrImageNeverPull',
      `Container image "${image}" is not present with pull policy of Never`,
    );
  }
  return new StartError(
    'ErrImagePull',
    `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
  );
}
