import * as z from 'zod';
import { unprefix } from './unprefix.ts';

/** More characters than the longest report has; a text that goes on for longer is let go of. */
const most = 2 ** 28;

/** A line of the log of a container, as Docker writes it; a long one is split into several that have no line feed. */
const dockerLine = z.object({ log: z.string(), stream: z.string() });

/** Makes lines whole again: those that a runtime split, and those of an indented document. */
export class Lines {
  /** By source. */
  readonly #parts = new Map<string, string>();
  readonly #documents = new Map<string, { readonly lines: string[]; length: number }>();

  /** The texts that are complete with this line, or that it shows to stay incomplete. */
  take(line: string): readonly string[] {
    const { source, text, continues } = unprefix(line);
    return this.#join(source, text, continues);
  }

  /** What is still incomplete after the last line. */
  rest(): readonly string[] {
    return [...this.#parts.values(), ...[...this.#documents.values()].map(({ lines }) => lines.join('\n'))];
  }

  #join(source: string, part: string, continues: boolean): readonly string[] {
    const text = (this.#parts.get(source) ?? '') + part;
    this.#parts.delete(source);
    if (continues) {
      if (text.length <= most) this.#parts.set(source, text);
      return [];
    }
    const inner = readDocker(text);
    if (!inner) return this.#gather(source, text.replace(/\r$/, ''));
    const { log, stream } = inner;
    // What has passed through a collector has lost its line feed.
    const isWhole = /\n$|^\{.*\}$/.test(log);
    return this.#join(`${source} ${stream}`, log.replace(/\r?\n$/, ''), !isWhole);
  }

  /** An indented document begins with a line `{`, ends with a line `}`, and all lines between are indented. */
  #gather(source: string, text: string): readonly string[] {
    const open = this.#documents.get(source);
    if (text === '{' || text === '[') {
      this.#documents.set(source, { lines: [text], length: 0 });
      return open ? [open.lines.join('\n')] : [];
    }
    if (!open) return [text];
    if (text === '}' || text === ']') {
      this.#documents.delete(source);
      return [[...open.lines, text].join('\n')];
    }
    if (!text.startsWith('  ')) return [text];
    open.lines.push(text);
    open.length += text.length;
    if (open.length > most) this.#documents.delete(source);
    return [];
  }
}

function readDocker(text: string): z.infer<typeof dockerLine> | undefined {
  if (!text.startsWith('{"log":"')) return undefined;
  try {
    return dockerLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
