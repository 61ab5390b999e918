import { Lines } from './lines.ts';
import { type Found, isReport, Rebuild, type Rebuilt } from './rebuild.ts';
import type { UnreadableReports } from './unreadable.ts';

/** Without one of these, a text is neither a record nor a report, and need not be parsed. */
const mark = /run\.id|SweepReport/;

/** JSON that may be indented; any other begins where `{"` does, after labels or what else a tool prints before it. */
const document = /^(?:\{["\s]|\[[{["\s])/;

/** Exports wrap lines in a few objects and lists; what is nested deeper comes from nobody's export. */
const deepest = 12;

export interface ReadReports extends Rebuilt {
  readonly unreadable: readonly UnreadableReports[];
  /** Lines that began as a record or a report, and are not complete. */
  readonly truncated: number;
  /** Lines of something else. */
  readonly other: number;
}

/** Finds records and reports in texts, in whatever an export has wrapped them. */
export class Finder {
  readonly #rebuild = new Rebuild();
  /** By file and apiVersion. */
  readonly #unreadable = new Map<string, UnreadableReports>();
  #found = 0;
  #truncated = 0;
  #other = 0;

  /** @param file Where the text was found. */
  take(text: string, file: string, depth = 0): void {
    const start = document.test(text) ? 0 : text.indexOf('{"');
    if (start < 0 || !mark.test(text)) {
      this.#other++;
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text.slice(start));
    } catch {
      this.#truncated++;
      return;
    }
    const before = this.#found + this.#truncated + this.#other;
    this.#look(value, file, depth);
    if (this.#found + this.#truncated + this.#other === before) this.#other++;
  }

  result(): ReadReports {
    const unreadable = [...this.#unreadable.values()];
    return { ...this.#rebuild.rebuilt(), unreadable, truncated: this.#truncated, other: this.#other };
  }

  #look(value: unknown, file: string, depth: number): void {
    if (depth > deepest) return;
    if (typeof value === 'string') {
      if (mark.test(value)) this.#lookInto(value, file, depth + 1);
    } else if (Array.isArray(value)) {
      for (const item of value) this.#look(item, file, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      // Without an entry, it is a line of the log of events, as most lines are.
      if ('run.id' in value && 'entry' in value) this.#count(this.#rebuild.takeRecord(value), file);
      else if (isReport(value)) this.#count(this.#rebuild.takeReport(value), file);
      else for (const item of Object.values(value)) this.#look(item, file, depth + 1);
    }
  }

  /** A line, or a document of several, that an export has put into a string. */
  #lookInto(text: string, file: string, depth: number): void {
    const lines = new Lines();
    for (const line of text.split('\n')) for (const whole of lines.take(line)) this.take(whole, file, depth);
    for (const left of lines.rest()) this.take(left, file, depth);
  }

  #count(found: Found, file: string): void {
    switch (found.kind) {
      case 'Read':
        this.#found++;
        return;
      case 'Unreadable': {
        this.#found++;
        const { apiVersion } = found;
        const key = `${file}\n${apiVersion}`;
        const { reports = 0 } = this.#unreadable.get(key) ?? {};
        this.#unreadable.set(key, {
          file,
          ...(apiVersion !== undefined && { apiVersion }),
          reports: reports + 1,
        });
        return;
      }
      case 'Other':
        this.#other++;
    }
  }
}
