import { parseJson } from '../../util/json.ts';
import type { SweepReport } from '../schema.ts';
import { isReport, Rebuild, type UnreadableReports } from './rebuild.ts';

export interface Source {
  readonly name: string;
  readonly lines: AsyncIterable<string>;
}

export interface ReadReports {
  readonly reports: readonly SweepReport[];
  /** Records that must have been written, because the last one of their run counts them, and were not found. */
  readonly lost: number;
  /** Runs of which the last record is missing, so that there is no report. */
  readonly unfinished: number;
  readonly unreadable: readonly UnreadableReports[];
  /** Lines that began as a record or a report, and are not complete. */
  readonly truncated: number;
}

/** The reports in these lines, whole or in records, in any order and among other lines; the earliest first. */
export async function readReports(sources: readonly Source[]): Promise<ReadReports> {
  // Of all files together: a document may have been split between two of them.
  const whole = new Lines();
  const finder = new Finder();
  for (const { name, lines } of sources) {
    for await (const line of lines) for (const text of whole.take(line)) finder.take(text, name);
  }
  for (const text of whole.rest()) finder.take(text, sources.at(-1)?.name ?? '');
  return finder.result();
}

/** Without one of these, a text is neither a record nor a report, and need not be parsed. */
const mark = /run\.id|SweepReport/;

/** The prefix of lines of stern and logcli: two names, and labels. */
const names = /^(?:[^\s{}"']+ ){0,2}(?:\{\w+="[^{}]*"\} )?(?=[{[])/;

/** Exports wrap lines in a few objects and lists; no export nests deeper. */
const deepest = 12;

/** Finds records and reports in texts, and in what an export has wrapped them in: never in what they quote. */
export class Finder {
  readonly #rebuild = new Rebuild();
  #truncated = 0;

  take(text: string, file: string, depth = 0): void {
    const [prefix] = names.exec(text) ?? [];
    if (prefix === undefined || !mark.test(text)) return;
    const value = parseJson(text.slice(prefix.length));
    if (value === undefined) {
      this.#truncated++;
      return;
    }
    this.#look(value, file, depth);
  }

  result(): ReadReports {
    return { ...this.#rebuild.rebuilt(), truncated: this.#truncated };
  }

  #look(value: unknown, file: string, depth: number): void {
    if (depth > deepest) return;
    if (typeof value === 'string') {
      if (/^[{[]/.test(value) && mark.test(value)) this.#lookInto(value, file, depth + 1);
    } else if (Array.isArray(value)) {
      for (const item of value) this.#look(item, file, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      // Without an entry, it is a line of the log of events: what it quotes is no record.
      if ('run.id' in value) {
        if ('entry' in value) this.#rebuild.takeRecord(value, file);
      } else if (isReport(value)) this.#rebuild.takeReport(value, file);
      else for (const item of Object.values(value)) this.#look(item, file, depth + 1);
    }
  }

  /** A line, or a document of several, that an export has put into a string. */
  #lookInto(text: string, file: string, depth: number): void {
    const lines = new Lines();
    for (const line of text.trimEnd().split('\n'))
      for (const whole of lines.take(line)) this.take(whole, file, depth);
    for (const left of lines.rest()) this.take(left, file, depth);
  }
}

/** In characters, more than the longest report has; a longer text is dropped. */
const most = 2 ** 28;

/** The prefix of lines of `kubectl logs --prefix --timestamps`, and of CRI's log files: `<time> stdout F <line>`. */
const prefix =
  /^(\[[^\]\s]+\] )?(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)(?: (?:stdout|stderr) [PF]\S*)?(?: |$))?/;

/** Joins the lines of indented documents. All others are whole: no record is so long that a runtime splits it. */
export class Lines {
  /** By pod, whose lines may come in between each other. */
  readonly #documents = new Map<string, { readonly lines: string[]; length: number }>();

  /** The texts that this line completes, or shows to be cut off: lines between `{` and `}` are indented. */
  take(line: string): readonly string[] {
    const [before = '', pod = ''] = prefix.exec(line) ?? [];
    const text = line.slice(before.length).replace(/\r$/, '');
    const open = this.#documents.get(pod);
    if (text === '{' || text === '[') {
      this.#documents.set(pod, { lines: [text], length: 0 });
      return open ? [open.lines.join('\n')] : [];
    }
    if (!open) return [text];
    if (text === '}' || text === ']') {
      this.#documents.delete(pod);
      return [[...open.lines, text].join('\n')];
    }
    if (!text.startsWith('  ')) return [text];
    open.lines.push(text);
    open.length += text.length;
    if (open.length > most) this.#documents.delete(pod);
    return [];
  }

  /** The documents that are incomplete after the last line. */
  rest(): readonly string[] {
    return [...this.#documents.values()].map(({ lines }) => lines.join('\n'));
  }
}
