import { type Command, Option } from 'commander';
import { printable } from '../printable.ts';
import type { Style } from '../report/columns.ts';
import { renderJson } from '../report/json.ts';
import { renderLines } from '../report/records/line.ts';
import { UsageError } from '../usage-error.ts';
import type { Output, Surroundings } from './surroundings.ts';

/** The output of a command: a document for machines, and a table of it for people. */
export interface Said {
  readonly document: object;
  table(style: Style): string;
  markdown?(): string;
  /** The same as the document in many small objects, one a line. */
  records?(): Iterable<object>;
  /** A page for a browser. */
  html?(): Promise<string>;
}

type Render = (said: Said, style: Style) => string | undefined | Promise<string>;

/** The output formats. Each command offers those that make sense for what it says. */
const formats = {
  json: ({ document }) => renderJson(document),
  table: ({ table }, style) => table(style),
  wide: ({ table }, style) => table({ ...style, wide: true, width: undefined }),
  ndjson: ({ records }) => records && renderLines(records()),
  markdown: ({ markdown }) => markdown?.(),
  html: ({ html }) => html?.(),
} as const satisfies Record<string, Render>;
export type Format = keyof typeof formats;

export interface OutputFlags {
  readonly output?: Format;
}

export function addOutputFlags(
  command: Command,
  offered: readonly Format[] = ['json', 'table'],
  otherwise = 'table on a terminal, json elsewhere',
): Command {
  const option = new Option('-o, --output <format>', `output format (default: ${otherwise})`);
  return command.addOption(option.choices(offered));
}

/** A sweep is told to people on a terminal, and elsewhere to whatever collects lines. */
export function addSweepOutputFlags(command: Command): Command {
  return addOutputFlags(command, ['json', 'ndjson', 'table'], 'table on a terminal, ndjson elsewhere');
}

export function formatOfSweep({ output }: OutputFlags, { stdout }: Pick<Surroundings, 'stdout'>): Format {
  return output ?? (stdout.isTTY ? 'table' : 'ndjson');
}

/** Prints the output of a command, in the format that --output or the kind of stdout implies. */
export async function say(
  said: Said,
  { output }: OutputFlags,
  { env, stdout }: Pick<Surroundings, 'env' | 'stdout'>,
): Promise<void> {
  const format = output ?? (stdout.isTTY ? 'table' : 'json');
  if (format === 'html' && stdout.isTTY) {
    throw new UsageError('HTML is for a browser: write it to a file, as in -o html > report.html');
  }
  const text = await formats[format](said, styleFor(stdout, env));
  if (text === undefined) throw new Error(`${format} is offered, and cannot be made`);
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
