import { Lines } from './lines.ts';
import { Rebuild, type Rebuilt } from './rebuild.ts';

/** Without one of these, a text is neither a record nor a report, and need not be parsed. */
const mark = /run\.id|SweepReport/;

/** JSON that may be indented; any other begins where `{"` does, after labels or what else a tool prints before it. */
const document = /^(?:\{["\s]|\[[{["\s])/;

/** Exports wrap lines in a few objects and lists; what is nested deeper comes from nobody's export. */
const deepest = 12;

/** Finds records and reports in texts, in whatever an export has wrapped them. */
export class Finder {
  readonly #rebuild = new Rebuild();
  #found = 0;
  #truncated = 0;
  #other = 0;

  take(text: string, depth = 0): void {
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
    this.#look(value, depth);
    if (this.#found + this.#truncated + this.#other === before) this.#other++;
  }

  result(): Rebuilt & { readonly truncated: number; readonly other: number } {
    return { ...this.#rebuild.rebuilt(), truncated: this.#truncated, other: this.#other };
  }

  #look(value: unknown, depth: number): void {
    if (depth > deepest) return;
    if (typeof value === 'string') {
      if (mark.test(value)) this.#lookInto(value, depth + 1);
    } else if (Array.isArray(value)) {
      for (const item of value) this.#look(item, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      // Without an entry, it is a line of the log of events, as most lines are.
      if ('run.id' in value && 'entry' in value) this.#count(this.#rebuild.takeRecord(value));
      else if ('kind' in value && value.kind === 'SweepReport') this.#count(this.#rebuild.takeReport(value));
      else for (const item of Object.values(value)) this.#look(item, depth + 1);
    }
  }

  /** A line, or a document of several, that an export has put into a string. */
  #lookInto(text: string, depth: number): void {
    const lines = new Lines();
    for (const line of text.split('\n')) for (const whole of lines.take(line)) this.take(whole, depth);
    for (const left of lines.rest()) this.take(left, depth);
  }

  #count(isFound: boolean): void {
    if (isFound) this.#found++;
    else this.#other++;
  }
}
