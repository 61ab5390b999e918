import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { columns, paintIf } from '../../../src/report/columns.ts';

const plain = paintIf({ colour: false });
const coloured = paintIf({ colour: true });

it('columns have no borders, are three spaces apart, and have no trailing spaces', () => {
  const rows = [
    ['etl', 'load-x2k9p', ''],
    ['jobs', 'a', 'x'],
  ];
  expect(columns(['NAMESPACE', 'POD', 'JOB'], rows, plain).split('\n')).toEqual([
    'NAMESPACE   POD          JOB',
    'etl         load-x2k9p',
    'jobs        a            x',
  ]);
});

it('colour does not affect alignment, and only the header is bold', () => {
  const rows = [[coloured('red', 'still running'), 'x']];
  const text = columns(['OUTCOME', 'JOB'], rows, coloured);
  expect(stripVTControlCharacters(text)).toBe('OUTCOME         JOB\nstill running   x');
  expect(text.split('\u001b[1m')).toHaveLength(3);
  expect(plain('red', 'x')).toBe('x');
});
