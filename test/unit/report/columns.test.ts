import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Cell,
  type Column,
  columns,
  paint,
  paragraph,
  widthOf,
  wrap,
} from '../../../src/report/columns.ts';
import { plain } from '../../builders/rendered.ts';

const coloured = { ...plain, colour: true };
const titled = (...titles: readonly string[]): readonly Column[] => titles.map((title) => ({ title }));

it('columns have no borders, are three spaces apart, and have no trailing spaces', () => {
  const rows = [
    ['etl', 'load-x2k9p', ''],
    ['jobs', 'a', 'x'],
  ];
  const expected = ['NAMESPACE   POD          JOB', 'etl         load-x2k9p', 'jobs        a            x'];
  expect(columns(titled('NAMESPACE', 'POD', 'JOB'), rows, plain).split('\n')).toEqual(expected);
});

it('colour does not affect alignment, and only the header is bold', () => {
  const rows = [[{ look: 'red', text: 'still running' }, 'x']] as const;
  const text = columns(titled('OUTCOME', 'JOB'), rows, coloured);
  expect(stripVTControlCharacters(text)).toBe('OUTCOME         JOB\nstill running   x');
  expect(text.split('\u001b[1m')).toHaveLength(3);
  expect(paint(plain, 'red', 'x')).toBe('x');
});

it('wide characters are aligned as a terminal shows them', () => {
  expect(columns(titled('A', 'B'), [['日本', 'x']], plain)).toBe('A      B\n日本   x');
});

/** Only a single word may be wider. */
function expectWithin(text: string, width: number): void {
  const wide = text.split('\n').filter((line) => line.trim().includes(' ') && widthOf(line) > width);
  expect(wide).toEqual([]);
}

describe('on a terminal', () => {
  const head: readonly Column[] = [
    { title: 'NAMESPACE', isName: true },
    { title: 'POD', isName: true },
    { title: 'AGE', worth: 1 },
    { title: 'OUTCOME', worth: 2, isProse: true },
    { title: 'NODE', isWide: true },
  ];
  const rows: readonly (readonly Cell[])[] = [
    ['billing', 'invoice-mail', '4s', 'stopped', 'n1'],
    ['etl', 'load', '1h', { look: 'yellow', text: 'blocked: it may exit with another code' }, 'n2'],
  ];
  const at = (width: number, wide = false) => columns(head, rows, { ...plain, width, wide }).split('\n');

  it('a column without a word in it takes no room, while a pipe has every column', () => {
    const rows = [['billing', 'invoice-mail', '', 'stopped']];
    const told = (width: number | undefined) => columns(head, rows, { ...plain, width }).split('\n')[0];
    expect(told(80)).toBe('NAMESPACE   POD            OUTCOME');
    expect(told(undefined)).toBe('NAMESPACE   POD            AGE   OUTCOME');
  });

  it('what is worth least is left out first, and sentences go below', () => {
    expect(at(34)[0]).toBe('NAMESPACE  POD           OUTCOME');
    // What is worth less stays where it has room and the sentence has none.
    expect(at(30)).toEqual([
      'NAMESPACE  POD           AGE',
      'billing    invoice-mail  4s',
      '  stopped',
      'etl        load          1h',
      '  blocked: it may exit with',
      '    another code',
    ]);
  });

  it('a row is a block under its name if even its name has no room beside the others', () => {
    // biome-ignore format: as many as fit on a line
    expect(at(20)).toEqual([
      'billing/invoice-mail', '  age: 4s', '  outcome: stopped', 'etl/load', '  age: 1h',
      '  outcome: blocked:', '    it may exit with', '    another code',
    ]);
  });

  it('-o wide shows more and leaves nothing out', () => {
    expect(at(100, true)[0]).toMatch(/^NAMESPACE +POD +AGE +OUTCOME +NODE$/);
    expect(at(20, true)).toContain('  age: 4s   node: n1');
  });

  const word = fc.stringMatching(/^[a-z/.-]{1,30}$/);
  const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
  const cases = fc.record({
    width: fc.integer({ min: 1, max: 400 }),
    wide: fc.boolean(),
    rows: fc.array(fc.tuple(word, word, word, sentence, word), { minLength: 1, maxLength: 4 }),
  });

  it('of any width, no line is longer than it unless a single word is, and no word is broken', () => {
    fc.assert(
      fc.property(cases, ({ width, wide, rows }) => {
        const style = { ...plain, width, wide };
        const text = columns(head, rows, style);
        expectWithin(text, width);
        const shown = new Set(text.split(/\s+/));
        for (const [namespace, pod, , told] of rows) {
          expect([...shown].some((one) => one === pod || one === `${namespace}/${pod}`)).toBe(true);
          for (const each of told.split(' ')) expect(shown).toContain(each);
        }
      }),
    );
  });

  it('of any width, a paragraph keeps every word, indented or not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), sentence, (width, text) => {
        for (const shown of [0, 4].map((indent) => paragraph(text, { ...plain, width }, undefined, indent))) {
          expect(shown.split(/\s+/).filter(Boolean)).toEqual(text.split(' '));
          expectWithin(shown, width);
        }
      }),
    );
  });
});

it('the width of a text is what a terminal shows of it', () => {
  expect(['abc', 'é', '日本', '\u001b[31mred\u001b[39m'].map(widthOf)).toEqual([3, 1, 4, 3]);
});

it.each([
  ['one two three four', 9, ['one two', '  three', '  four']],
  ['one two three four', 18, ['one two three four']],
  ['one two', undefined, ['one two']],
  // A word that is too long stands alone, without the indent that it has no room for.
  ['see extraordinarily far', 8, ['see', 'extraordinarily', '  far']],
  ['extraordinarily', 3, ['extraordinarily']],
])('%s is wrapped between words at %s columns, indented from the second line on', (text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines);
});

describe('what gives way', () => {
  const head: readonly Column[] = [
    { title: 'POD' },
    { title: 'AGE', worth: 1 },
    { title: 'WHY', worth: 2, isProse: true },
  ];
  const row = ['0123456789', '1h20m', 'blocked2: 0123456789 012345678'];
  /** The first line below the titles, and how many more there are. */
  const shown = (width: number | undefined, wide = false) => {
    const [, first, ...more] = columns(head, [row], { ...plain, width, wide }).split('\n');
    return [first, more.length];
  };

  it.each<readonly [width: number | undefined, wide: boolean, first: string, below: number]>([
    [undefined, false, '0123456789   1h20m   blocked2: 0123456789 012345678', 0],
    [51, false, '0123456789   1h20m   blocked2: 0123456789 012345678', 0],
    // Columns move together before one gives way.
    [50, false, '0123456789  1h20m  blocked2: 0123456789 012345678', 0],
    [48, false, '0123456789  1h20m  blocked2', 1],
    [27, false, '0123456789  1h20m  blocked2', 1],
    // The one that is worth least goes first, unless only it has room.
    [26, false, '0123456789  blocked2', 1],
    [19, false, '0123456789  1h20m', 3],
    [16, false, '0123456789', 3],
    [10, false, '0123456789', 3],
    // -o wide leaves no column out; sentences may still go below.
    [19, true, '0123456789  1h20m', 3],
    // Without room for what always stays, a row is a block.
    [16, true, '  age: 1h20m', 3],
  ])('at %s columns (-o wide: %s)', (width, wide, first, below) => {
    const [line, more] = shown(width, wide);
    expect([line, more]).toEqual([first, below]);
  });
});
