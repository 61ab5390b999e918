import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { parseArguments } from '../../src/cli/program.ts';
import { runHere } from '../kit/run-here.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].map((page) => [page, readFileSync(join(root, page), 'utf8')] as const);

const own = /^(?:sidecar-sweeper|node dist\/sidecar-sweeper\.mjs)\b/;

/** The calls of this program in the shell blocks of a page. An indented line continues the line before. */
const commands = pages.flatMap(([page, text]) =>
  [...text.matchAll(/^```(?:sh|console)\n(?!\$ )([\s\S]*?)^```$/gm)]
    .flatMap(([, block = '']) => block.replace(/\n +/g, ' ').split(/\n| \| /))
    .filter((line) => own.test(line))
    .map((line) => [page, line.replace(/ +# .*/, '').replace(/ >>? \S+$/, '')] as const),
);

it.each(commands)('a command on a page can be parsed: %s: %s', (_page, command) => {
  expect(parseArguments(words(command.replace(own, '').trim())).kind).toBe('Run');
});

it('package.json has every npm script that a page names', () => {
  const named = pages.flatMap(([, text]) =>
    [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, script = '']) => script),
  );
  expect(named).toContain('demo');
  expect(named.filter((script) => !(script in packageJson.scripts))).toEqual([]);
});

const policies = join(root, 'examples', 'policies');

it.each(readdirSync(policies))('validate finds nothing wrong with examples/policies/%s', async (name) => {
  const file = join(policies, name);
  const valid = { exitCode: 0, stdout: `${file} is a valid SweepPolicy\n`, stderr: '' };
  expect(await runHere(['validate', file], {})).toEqual(valid);
});

/** The words of a line, with a name for each placeholder. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) =>
    (a ?? b ?? c ?? '').replace(/<(\w+)>|\$\{.*\}/g, 'name'),
  );
}
