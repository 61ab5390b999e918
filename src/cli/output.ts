import type { Style } from '../report/columns.ts';
import { exitCodeOf } from '../report/exit-code.ts';
import { inChunks, jsonPieces, toLines } from '../report/json.ts';
import { podArgument } from '../report/names.ts';
import { toRecords } from '../report/records/write.ts';
import type { SweepReport } from '../report/schema.ts';
import { sweepView } from '../report/sweep/view.ts';
import { type View, viewMarkdown, viewText } from '../report/view.ts';
import { printable } from '../util/text.ts';
import { UsageError } from '../util/usage-error.ts';
import type { GivenFlags } from './flags.ts';
import { type Io, type Output, type WaitForReader, write } from './io.ts';

export interface Printout {
  readonly document: object;
  view(style: Style): View;
  html?(): Promise<string>;
  /** The document as many small objects, one per line. */
  records?(): Iterable<object>;
  /** The document as a manifest for `kubectl apply`. */
  manifest?(): string;
  /** The names of its objects, as commands accept them. */
  names?(): Iterable<string>;
}

export function sweepPrintout(report: SweepReport, flags: Pick<GivenFlags, 'verbose' | 'failOn'>): Printout {
  return {
    document: report,
    view: (style) => sweepView(report, withVerbose(style, flags)),
    records: () => toRecords(report, exitCodeOf(report, flags.failOn)),
    names: () => report.pods.map((pod) => podArgument(pod, report.scope)),
  };
}

type Format = NonNullable<GivenFlags['output']>;
type OutputFlags = Pick<GivenFlags, 'output' | 'color'>;

/** In pieces if its size grows with the cluster; undefined if the command does not offer the format. */
function render(
  { document, view, html, records, manifest, names }: Printout,
  format: Format,
  style: Style,
): string | Iterable<string> | Promise<string> | undefined {
  switch (format) {
    case 'table':
      return viewText(view(style), style);
    case 'wide':
      return render({ document, view }, 'table', { ...style, wide: true });
    case 'json':
      return jsonPieces(document);
    case 'yaml':
      return import('../report/yaml.ts').then(({ toYaml }) => toYaml(document));
    case 'ndjson':
      return records && toLines(records());
    case 'markdown':
      return viewMarkdown(view({ ...style, width: undefined }));
    case 'html':
      return html?.();
    case 'admission-policy':
      return manifest?.();
    case 'name':
      return names && [...names()].map((name) => `${printable(name)}\n`);
  }
}

export function formatOfSweep({ output }: OutputFlags, { stdout }: Pick<Io, 'stdout'>): Format {
  return output ?? (stdout.isTTY ? 'table' : 'ndjson');
}

/** Rejects with a WriteError, or as `wait` does. */
export async function printOut(
  printout: Printout,
  flags: OutputFlags,
  { env, stdout }: Pick<Io, 'env' | 'stdout'>,
  wait: WaitForReader = (write) => write,
): Promise<void> {
  const { output = 'table' } = flags;
  if (output === 'html' && stdout.isTTY) {
    throw new UsageError('HTML is for a browser; redirect it to a file: -o html > report.html');
  }
  const rendered = await render(printout, output, styleFor(stdout, flags, env));
  if (rendered === undefined) throw new Error(`-o ${output} is offered, but not implemented`);
  for (const chunk of inChunks(typeof rendered === 'string' ? [rendered] : rendered)) {
    await wait(write(stdout, chunk));
  }
}

/** -v shows everything, like -o wide. */
export function withVerbose(style: Style, { verbose = false }: Pick<GivenFlags, 'verbose'>): Style {
  return { ...style, wide: style.wide || verbose };
}

export function styleFor(output: Output, { color }: OutputFlags, env: Io['env']): Style {
  // columns is 0 if the size of the terminal is unknown.
  return { colour: usesColour(output, color, env), width: output.columns || undefined, wide: false };
}

/** --color takes precedence over NO_COLOR (https://no-color.org), then FORCE_COLOR (https://force-color.org). */
function usesColour({ isTTY }: Output, color: OutputFlags['color'], env: Io['env']): boolean {
  if (color === 'always' || color === 'never') return color === 'always';
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  // Node and its ecosystem treat these values as off.
  return forced ? forced !== '0' && forced !== 'false' : isTTY === true && env['TERM'] !== 'dumb';
}
