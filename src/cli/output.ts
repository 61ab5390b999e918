import { type Command, Option } from 'commander';
import { inChunks } from '../report/chunks.ts';
import type { Style } from '../report/columns.ts';
import { jsonPieces } from '../report/json.ts';
import { toLines } from '../report/records/line.ts';
import { printable } from '../util/text.ts';
import { UsageError } from '../util/usage-error.ts';
import { addColorFlag, type ColorFlags } from './flags/color.ts';
import { groups } from './help.ts';
import { styleFor } from './style.ts';
import type { Output, Surroundings } from './surroundings.ts';
import type { WaitForReader } from './unread.ts';
import { isReaderGone, Unwritten } from './unwritten.ts';

/** The output of a command: a document for machines, and what can be made of it for people. */
export interface Said {
  readonly document: object;
  table(style: Style): string;
  markdown?(): string;
  html?(): Promise<string>;
  /** The same as the document in many small objects, one a line. */
  records?(): Iterable<object>;
  /** What it lists, by the names that commands take. */
  names?(): Iterable<string>;
}

/** What grows with the cluster is rendered as it is written. */
type Rendered = string | Iterable<string>;
type Render = (said: Said, style: Style) => Rendered | undefined | Promise<string>;

/** The output formats. Each command offers those that make sense for what it says. */
const formats = {
  table: ({ table }, style) => table(style),
  wide: ({ table }, style) => table({ ...style, wide: true }),
  json: ({ document }) => jsonPieces(document),
  ndjson: ({ records }) => records && toLines(records()),
  markdown: ({ markdown }) => markdown?.(),
  html: ({ html }) => html?.(),
  name: ({ names }) => names && [...names()].map((name) => `${printable(name)}\n`),
} as const satisfies Record<string, Render>;
export type Format = keyof typeof formats;

export interface OutputFlags extends ColorFlags {
  readonly output?: Format;
}

const formatNames = Object.keys(formats) as readonly Format[];

/** What is offered by a command of which not every format can be made; only reports of many sweeps are worth a page of HTML. */
export function formatsWithout(...missing: readonly Format[]): readonly Format[] {
  return formatNames.filter((format) => format !== 'html' && !missing.includes(format));
}

export function addOutputFlags(
  command: Command,
  offered: readonly Format[] = formatsWithout(),
  otherwise = 'table',
): Command {
  const option = new Option('-o, --output <format>', `print in this format (default: ${otherwise})`);
  return addColorFlag(command.optionsGroup(groups.output).addOption(option.choices(offered)));
}

/** What changes a cluster is told to people on a terminal, and elsewhere to whatever collects lines. */
export function addSweepOutputFlags(command: Command): Command {
  return addOutputFlags(command, formatsWithout(), 'table on a terminal, ndjson elsewhere');
}

export function formatOfSweep({ output }: OutputFlags, { stdout }: Pick<Surroundings, 'stdout'>): Format {
  return output ?? (stdout.isTTY ? 'table' : 'ndjson');
}

/** Prints the output of a command, in the format of --output. Throws Unwritten. */
export async function say(
  said: Said,
  flags: OutputFlags,
  { env, stdout }: Pick<Surroundings, 'env' | 'stdout'>,
  wait: WaitForReader = (write) => write,
): Promise<void> {
  const { output = 'table' } = flags;
  if (output === 'html' && stdout.isTTY) {
    throw new UsageError('HTML is for a browser: write it to a file, as in -o html > report.html');
  }
  const rendered = await formats[output](said, styleFor(stdout, flags, env));
  if (rendered === undefined) throw new Error(`${output} is offered, and cannot be made`);
  for (const chunk of inChunks(typeof rendered === 'string' ? [rendered] : rendered)) {
    await wait(write(stdout, chunk));
  }
}

/** Prints one line on stderr about what went wrong. */
export async function complain({ stderr }: Pick<Surroundings, 'stderr'>, message: string): Promise<void> {
  await print(stderr, `sidecar-sweeper: ${printable(message)}\n`);
}

/** Resolves when all is written, also if a pipe has lost its reader. Rejects with Unwritten. */
export function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    output.write(text, (error) => {
      if (error && !isReaderGone(error, output)) reject(new Unwritten(error));
      else resolve();
    }),
  );
}

/** Resolves when all is written, or cannot be: what is told besides the output is no reason to fail. */
export function print(output: Output, text: string): Promise<void> {
  return new Promise((resolve) => output.write(text, () => resolve()));
}
