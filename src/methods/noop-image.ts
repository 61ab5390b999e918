import shipped from './noop-programs.json' with { type: 'json' };

/** Every program of the shipped image, by its path and, found by PATH, by its name. */
const shippedPrograms: readonly string[] = [
  ...shipped.paths,
  ...shipped.names.flatMap((name) => [name, ...shipped.folders.map((folder) => `${folder}/${name}`)]),
];

/** Whether a no-op image has a program: the shipped image by its own list, another by what the policy says of it. */
export function hasProgram(program: string, programs: readonly string[] = shippedPrograms): boolean {
  return programs.includes(program);
}
