import shipped from './noop-programs.json' with { type: 'json' };

/** Which programs a no-op image has: those of this project's own image, or these. */
export type NoopPrograms = 'shipped' | string[];

/** Every program of the shipped image, by its path and, found by PATH, by its name. */
const shippedPrograms: readonly string[] = [
  ...shipped.paths,
  ...shipped.names.flatMap((name) => [name, ...shipped.folders.map((folder) => `${folder}/${name}`)]),
];

/**
 * Whether a no-op image is known to have a program. Nobody can tell from its name which image it is, so that nothing is known
 * unless the operator says it. An undefined program is the image's own entrypoint.
 */
export function hasProgram(program: string | undefined, programs: NoopPrograms | undefined): boolean {
  if (programs === undefined) return false;
  if (program === undefined) return true;
  return (programs === 'shipped' ? shippedPrograms : programs).includes(program);
}
