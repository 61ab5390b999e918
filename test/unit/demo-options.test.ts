import { expect, it } from 'vitest';
import { demoOptions } from '../../scripts/demo/options.ts';

it('the demo shows tables of a sweep unless it is asked for something else', () => {
  expect(demoOptions([])).toEqual({ output: 'table', keep: false, why: false });
  expect(demoOptions(['-o', 'json', '--keep'])).toEqual({ output: 'json', keep: true, why: false });
});

it.each([
  [['--bad'], "Unknown option '--bad'; it takes -o <format>, --why and --keep"],
  [['extra'], "Unexpected argument 'extra'; it takes -o <format>, --why and --keep"],
  [['-o'], "Option '-o, --output <value>' argument missing; it takes -o <format>, --why and --keep"],
  [['-o', 'xml'], "-o 'xml' is none of table, wide, json, ndjson, markdown, name"],
  [['-o', 'html'], "-o 'html' is none of table, wide, json, ndjson, markdown, name"],
])('the demo says of %j what it takes', (argv, message) => {
  expect(() => demoOptions(argv)).toThrow(message);
});
