import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { GivenFlags } from '../../../src/cli/flags.ts';
import { formatOfSweep, type Printout, printOut, styleFor } from '../../../src/cli/output.ts';
import { sentence } from '../../../src/report/view.ts';

type OutputFlags = Pick<GivenFlags, 'output' | 'color'>;

/** The output of a command: `{ a: 1 }` as JSON, or, as a table, whether colour is on. */
async function printed(flags: OutputFlags, isTTY: boolean, more: Partial<Printout> = {}): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const printout: Printout = {
    document: { a: 1 },
    view: ({ colour, wide }) => ({
      sections: [[sentence(wide ? 'wide' : colour ? 'colour' : 'plain'), { kind: 'Heading', text: 'A' }]],
    }),
    records: () => [{ a: 1 }, { b: '\u009b' }],
    names: () => ['demo/a', 'demo/b\u001b'],
    ...more,
  };
  await printOut(printout, flags, { env: {}, stdout });
  stdout.end();
  return text(stdout);
}

describe('the output of a command', () => {
  it('of a sweep is a table on a terminal, and records elsewhere', () => {
    const on = (isTTY: boolean) => ({ stdout: Object.assign(new PassThrough(), { isTTY }) });
    expect(formatOfSweep({}, on(true))).toBe('table');
    expect(formatOfSweep({}, on(false))).toBe('ndjson');
    expect(formatOfSweep({ output: 'json' }, on(false))).toBe('json');
  });

  // biome-ignore format: one row a line
  it.each<readonly [OutputFlags['output'], isTTY: boolean, expected: string]>([
    [undefined, true, 'colour\n\u001b[1mA\u001b[22m\n'],
    [undefined, false, 'plain\nA\n'],
    ['json', true, '{\n  "a": 1\n}\n'],
    ['wide', true, 'wide\n\u001b[1mA\u001b[22m\n'],
    ['markdown', true, 'colour\n\n## A\n'],
    ['ndjson', true, '{"a":1}\n{"b":"\\u009b"}\n'],
    ['name', true, 'demo/a\ndemo/b\n'],
  ])('has the format of the flag: %s (terminal: %s)', async (output, isTTY, expected) => {
    expect(await printed({ output }, isTTY)).toBe(expected);
  });

  it('is a page, if it has one, but not on a terminal', async () => {
    const page = { html: async () => '<!doctype html>' };
    expect(await printed({ output: 'html' }, false, page)).toBe('<!doctype html>');
    const shown = printed({ output: 'html' }, true, page);
    await expect(shown).rejects.toThrow('redirect it to a file: -o html > report.html');
  });
});

const output = (isTTY: boolean, columns?: number) =>
  Object.assign(new PassThrough(), { isTTY, ...(columns !== undefined && { columns }) });

it.each<readonly [title: string, color: OutputFlags['color'], env: object, isTTY: boolean, on: boolean]>([
  ['on a terminal', undefined, {}, true, true],
  ['in a pipe', undefined, {}, false, false],
  ['on a dumb terminal', undefined, { TERM: 'dumb' }, true, false],
  ['with NO_COLOR', undefined, { NO_COLOR: '1' }, true, false],
  ['with an empty NO_COLOR', 'auto', { NO_COLOR: '' }, true, true],
  ['with FORCE_COLOR in a pipe', undefined, { FORCE_COLOR: '1' }, false, true],
  ['with FORCE_COLOR=0', undefined, { FORCE_COLOR: '0' }, true, false],
  ['with both', undefined, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  ['with --color always', 'always', { NO_COLOR: '1' }, false, true],
  ['with --color never', 'never', { FORCE_COLOR: '1' }, true, false],
  ['with --color never alone', 'never', {}, true, false],
])('colour %s', (_title, color, env, isTTY, on) => {
  expect(styleFor(output(isTTY), { color }, { ...env }).colour).toBe(on);
});

it('a pipe has no width, and neither has a terminal whose size is unknown', () => {
  const ends = [output(false), output(true, 0), output(true, 80)];
  const widths = ends.map((one) => styleFor(one, {}, { COLUMNS: '40' }).width);
  expect(widths).toEqual([undefined, undefined, 80]);
});
