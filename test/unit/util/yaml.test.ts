import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../src/policy/policy-file.ts';
import { readYaml } from '../../../src/util/yaml.ts';
import { growth, quadratic } from '../../builders/growth.ts';
import { warningsDuring } from '../../builders/report.ts';

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

/** Hostile policies of as many lines, or levels, as a size says. */
const hostile: Readonly<Record<string, (size: number) => string>> = {
  'aliases without end': (size) => `a: &a x\nb:\n${lines(size, () => '- *a')}`,
  'aliases of nothing': (size) => `b:\n${lines(size, (index) => `- *a${index}`)}`,
  'keys without end': (size) => lines(size, (index) => `k${index}: 1`),
  'one key again and again': (size) => lines(size, () => 'a: 1'),
  'lists in lists': (size) => `a: ${'['.repeat(size)}${']'.repeat(size)}`,
  'lists in lists that do not end': (size) => `a: ${'['.repeat(size)}`,
  'maps in maps': (size) => lines(Math.ceil(Math.sqrt(size)), (index) => `${' '.repeat(index)}a:`),
  'nothing but brackets': (size) => lines(size, () => '}'),
  'rules that say nothing': (size) => `rules:\n${lines(size, () => '- {x: 1}')}`,
  'steps of no method': (size) => `lastResort:\n${lines(size, () => '- {foo: 1}')}`,
};

describe('a hostile policy ends with one line, in a time that grows no faster than the file:', () => {
  it.each(Object.entries(hostile))('%s', (_title, file) => {
    const read = readPolicy(file(2_000));
    expect(read.kind === 'Wrong' && read.problems).toHaveLength(1);
    const reading = (size: number) => {
      const text = file(size);
      return () => readPolicy(text);
    };
    expect(growth(reading, 200)).toBeLessThan(quadratic);
  });
});

describe('the limits of a file', () => {
  const problemOf = (text: string) => {
    const read = readYaml(text);
    return read.kind === 'Wrong' ? read.problems : [];
  };

  const aliases = (count: number) => lines(count, (index) => `- &a${index} x\n- *a${index}`);
  const levels = (count: number) => '['.repeat(count) + ']'.repeat(count);

  it.each([
    [aliases(100), aliases(101), /more than 100 aliases/],
    [levels(31), levels(70), /more than 32 levels deep/],
  ])('%#', (allowed, excessive, message) => {
    expect(problemOf(allowed)).toEqual([]);
    expect(problemOf(excessive)[0]?.message).toMatch(message);
  });

  it('an unusual key writes nothing to stderr by itself', async () => {
    const warnings = await warningsDuring(async () => readYaml('? [\u001b]31m]\n: 1\n'));
    expect(warnings).toEqual([]);
  });

  it('a value has the line of its own or of what it is missing from', () => {
    const read = readYaml('a:\n  b: 1\nc: 2\n');
    const lineOf = (...path: readonly string[]) => (read.kind === 'Value' ? read.lineOf(path) : 0);
    expect([lineOf('a', 'b'), lineOf('a', 'x'), lineOf('c'), lineOf()]).toEqual([2, 2, 3, 1]);
  });
});
