import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** How many columns of a terminal a text takes. Most are plain ASCII, which need not be looked at more closely. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/**
 * The lines of a text, none longer than the terminal is wide, unless a single word is. All but the first are indented, as far as
 * there is room. Without a width, it is one line.
 */
export function wrap(text: string, width: number | undefined, indent = 2): readonly string[] {
  if (width === undefined || widthOf(text) <= width) return [text];
  const [first = '', ...others] = wrapAnsi(text, width, { hard: false }).split('\n');
  if (others.length === 0) return [first];
  const room = width - indent;
  const rest = wrapAnsi(others.join(' '), Math.max(1, room), { hard: false }).split('\n');
  return [first, ...rest.map((line) => indented(line, width, indent))];
}

/** A line that stands below another one. */
export function indented(line: string, width: number | undefined, indent: number): string {
  const room = width === undefined ? indent : Math.max(0, width - widthOf(line));
  return ' '.repeat(Math.min(indent, room)) + line;
}
