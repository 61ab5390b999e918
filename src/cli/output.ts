import { type Command, Option } from 'commander';
import { printable } from '../printable.ts';
import type { Style } from '../report/columns.ts';
import { renderJson, renderLines } from '../report/json.ts';
import { groups } from './help.ts';
import type { Output, Surroundings } from './surroundings.ts';

/** The output of a command: a document for machines, and what can be made of it for people. */
export interface Said {
  readonly document: object;
  table(style: Style): string;
  markdown?(): string;
  /** The same as the document in many small objects, one a line. */
  records?(): Iterable<object>;
  /** What it lists, by the names that commands take. */
  names?(): Iterable<string>;
}

type Render = (said: Said, style: Style) => string | undefined;

/** The output formats. Each command offers those that make sense for what it says. */
const formats = {
  table: ({ table }, style) => table(style),
  wide: ({ table }, style) => table({ ...style, wide: true, width: undefined }),
  json: ({ document }) => renderJson(document),
  ndjson: ({ records }) => records && renderLines(records()),
  markdown: ({ markdown }) => markdown?.(),
  name: ({ names }) => names && [...names()].map((name) => `${printable(name)}\n`).join(''),
} as const satisfies Record<string, Render>;
export type Format = keyof typeof formats;

export interface OutputFlags {
  readonly output?: Format;
}

const formatNames = Object.keys(formats) as readonly Format[];

/** What is offered by a command of which not every format can be made. */
export function formatsWithout(...missing: readonly Format[]): readonly Format[] {
  return formatNames.filter((format) => !missing.includes(format));
}

export function addOutputFlags(
  command: Command,
  offered: readonly Format[] = formatNames,
  otherwise = 'table',
): Command {
  const option = new Option('-o, --output <format>', `output format (default: ${otherwise})`);
  return command.optionsGroup(groups.output).addOption(option.choices(offered));
}

/** What changes a cluster is told to people on a terminal, and to machines elsewhere. */
export function addSweepOutputFlags(command: Command): Command {
  return addOutputFlags(command, formatsWithout('ndjson'), 'table on a terminal, json elsewhere');
}

export function formatOfSweep({ output }: OutputFlags, { stdout }: Pick<Surroundings, 'stdout'>): Format {
  return output ?? (stdout.isTTY ? 'table' : 'json');
}

/** Prints the output of a command, in the format of --output. */
export async function say(
  said: Said,
  { output = 'table' }: OutputFlags,
  { env, stdout }: Pick<Surroundings, 'env' | 'stdout'>,
): Promise<void> {
  const text = formats[output](said, styleFor(stdout, env));
  if (text === undefined) throw new Error(`${output} is offered, and cannot be made`);
  await print(stdout, text);
}

/** Prints one line on stderr about what went wrong. */
export async function complain({ stderr }: Pick<Surroundings, 'stderr'>, message: string): Promise<void> {
  await print(stderr, `sidecar-sweeper: ${printable(message)}\n`);
}

/** Resolves when all is written; a pipe that its reader has closed is not an error. */
export function print(output: Output, text: string): Promise<void> {
  return new Promise((resolve) => output.write(text, () => resolve()));
}

function styleFor(output: Output, env: Surroundings['env']): Style {
  // A terminal that was never told its size says that it has 0 columns.
  return { colour: usesColour(output, env), width: output.columns || undefined, wide: false };
}

/** Whether to use colour: on a terminal that supports it, unless NO_COLOR is set (https://no-color.org). */
function usesColour(output: Output, env: Surroundings['env']): boolean {
  return output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
