import shipped from './noop-programs.json' with { type: 'json' };

/**
 * An image, as a pod names it. The API server takes any text, and the kubelet ends the old container before it finds that it
 * cannot pull such an image. https://github.com/distribution/reference/blob/main/reference.go
 */
export const imageReference =
  /^[A-Za-z0-9[](?:[\w.:/[\]-]{0,511}[A-Za-z0-9_])?(?:@[a-z0-9+._-]{1,32}:[0-9a-f]{32,128})?$/;

export const exampleImage = 'registry.example/noop:1';

/** Which programs a no-op image has: those of this project's own image, or these. */
export type NoopPrograms = 'shipped' | string[];

/** Every program of the shipped image, by its path and, found by PATH, by its name. */
const shippedPrograms: readonly string[] = [
  ...shipped.paths,
  ...shipped.names.flatMap((name) => [name, ...shipped.folders.map((folder) => `${folder}/${name}`)]),
];

/**
 * Whether a no-op image is known to have a program. A name does not prove which image it is, so nothing is known unless the
 * operator says so. An undefined program means the image's own entrypoint.
 */
export function hasProgram(program: string | undefined, programs: NoopPrograms | undefined): boolean {
  if (programs === undefined) return false;
  if (program === undefined) return true;
  return (programs === 'shipped' ? shippedPrograms : programs).includes(program);
}
