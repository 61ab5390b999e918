import { type Command, Option } from 'commander';
import { printable } from '../printable.ts';
import type { Style } from '../report/columns.ts';
import { renderJson } from '../report/json.ts';
import { addColorFlag, type ColorFlags } from './flags/color.ts';
import { styleFor } from './style.ts';
import type { Output, Surroundings } from './surroundings.ts';

/** The output of a command: a document for machines, and a table of it for people. */
export interface Said {
  readonly document: object;
  table(style: Style): string;
}

/** The output formats that every command offers. */
const formats = {
  json: ({ document }) => renderJson(document),
  table: ({ table }, style) => table(style),
  wide: ({ table }, style) => table({ ...style, wide: true }),
} as const satisfies Record<string, (said: Said, style: Style) => string>;
type Format = keyof typeof formats;

export interface OutputFlags extends ColorFlags {
  readonly output?: Format;
}

export function addOutputFlags(command: Command): Command {
  const option = new Option(
    '-o, --output <format>',
    'output format (default: table on a terminal, json elsewhere)',
  );
  return addColorFlag(command.addOption(option.choices(Object.keys(formats))));
}

/** The format that --output or the kind of stdout implies. */
export function formatOf({ output }: OutputFlags, { stdout }: Pick<Surroundings, 'stdout'>): Format {
  return output ?? (stdout.isTTY ? 'table' : 'json');
}

/** Prints the output of a command, in the format that --output or the kind of stdout implies. */
export async function say(
  said: Said,
  flags: OutputFlags,
  { env, stdout }: Pick<Surroundings, 'env' | 'stdout'>,
): Promise<void> {
  const format = formats[formatOf(flags, { stdout })];
  await print(stdout, format(said, styleFor(stdout, flags, env)));
}

/** Prints one line on stderr about what went wrong. */
export async function complain({ stderr }: Pick<Surroundings, 'stderr'>, message: string): Promise<void> {
  await print(stderr, `sidecar-sweeper: ${printable(message)}\n`);
}

/** Resolves when all is written; a pipe that its reader has closed is not an error. */
export function print(output: Output, text: string): Promise<void> {
  return new Promise((resolve) => output.write(text, () => resolve()));
}
