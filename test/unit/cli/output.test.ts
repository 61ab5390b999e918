import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { GivenFlags } from '../../../src/cli/flags.ts';
import { formatOfSweep, type Printout, printOut, styleFor } from '../../../src/cli/output.ts';
import { sentence } from '../../../src/report/view.ts';

type OutputFlags = Pick<GivenFlags, 'output' | 'color'>;

/** The output of a command: `{ a: 1 }` as JSON, or, as a table, whether colour is on. */
async function printed(
  flags: OutputFlags,
  { isTTY, env = {} }: { readonly isTTY: boolean; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const printout: Printout = {
    document: { a: 1 },
    view: ({ colour, wide }) => ({
      sections: [[sentence(wide ? 'wide' : colour ? 'colour' : 'plain'), { kind: 'Heading', text: 'A' }]],
    }),
    records: () => [{ a: 1 }, { b: '\u009b' }],
    names: () => ['demo/a', 'demo/b\u001b'],
  };
  await printOut(printout, flags, { env, stdout });
  stdout.end();
  return text(stdout);
}

const json = '{\n  "a": 1\n}\n';

describe('the output of a command', () => {
  it('is a table, in a pipe as well', async () => {
    expect(await printed({}, { isTTY: true })).toBe('colour\n\u001b[1mA\u001b[22m\n');
    expect(await printed({}, { isTTY: false })).toBe('plain\nA\n');
  });

  it('is a line for each record, if it has records', async () => {
    const stdout = new PassThrough();
    const records = () => [{ a: 1 }, { b: '\u202e' }];
    await printOut(
      { document: {}, view: () => ({ sections: [] }), records },
      { output: 'ndjson' },
      { env: {}, stdout },
    );
    stdout.end();
    expect(await text(stdout)).toBe('{"a":1}\n{"b":"\\u202e"}\n');
  });

  it('of a sweep is a table on a terminal, and records elsewhere', () => {
    const on = (isTTY: boolean) => ({ stdout: Object.assign(new PassThrough(), { isTTY }) });
    expect(formatOfSweep({}, on(true))).toBe('table');
    expect(formatOfSweep({}, on(false))).toBe('ndjson');
    expect(formatOfSweep({ output: 'json' }, on(false))).toBe('json');
  });

  it('has the format of the flag', async () => {
    expect(await printed({ output: 'json' }, { isTTY: true })).toBe(json);
    expect(await printed({ output: 'wide' }, { isTTY: true })).toBe('wide\n\u001b[1mA\u001b[22m\n');
    expect(await printed({ output: 'markdown' }, { isTTY: true })).toBe('colour\n\n## A\n');
    expect(await printed({ output: 'ndjson' }, { isTTY: true })).toBe('{"a":1}\n{"b":"\\u009b"}\n');
    expect(await printed({ output: 'name' }, { isTTY: true })).toBe('demo/a\ndemo/b\n');
  });

  it('is a page, if it has one, but not on a terminal', async () => {
    const printout = { document: {}, view: () => ({ sections: [] }), html: async () => '<!doctype html>' };
    const printedOn = async (isTTY: boolean) => {
      const stdout = Object.assign(new PassThrough(), { isTTY });
      await printOut(printout, { output: 'html' }, { env: {}, stdout });
      stdout.end();
      return text(stdout);
    };
    expect(await printedOn(false)).toBe('<!doctype html>');
    await expect(printedOn(true)).rejects.toThrow('redirect it to a file: -o html > report.html');
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
