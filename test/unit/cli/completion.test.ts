import { Argument, Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { complete } from '../../../src/cli/commands/completion.ts';

function program(): Command {
  const all = new Command('p')
    .option('-n, --namespace <namespace>', 'one')
    .option('-v, --verbose')
    .option('--kubeconfig <file>');
  all.command('scan').summary('list').option('-n, --namespace <namespace>');
  all.command('explain').argument('[pods...]').option('--context <context>');
  all.command('shells').addArgument(new Argument('<shell>').choices(['bash', 'fish']));
  all.command('check').argument('<file>');
  all.command('secret', { hidden: true });
  return all;
}

const completion = (...typed: readonly string[]) => complete(program(), typed);
function words(...typed: readonly string[]): readonly string[] {
  const { words, placeholder } = completion(...typed);
  expect(placeholder).toBe('');
  return words.map(({ value }) => value);
}
const named = (placeholder: string, before = '') => ({ words: [], placeholder, before });

describe('what could stand last', () => {
  it('are the commands, without hidden ones', () => {
    expect(words('')).toEqual(['scan', 'explain', 'shells', 'check', 'help']);
    expect(words('help', '')).toEqual(words(''));
    expect(words('-n', 'jobs', '')).toContain('scan');
  });

  it('are the flags of the command', () => {
    expect(words('-')).toEqual(['--namespace', '-n', '--verbose', '-v', '--kubeconfig', '--help', '-h']);
    expect(words('scan', '--n')).toEqual(['--namespace', '-n', '--help', '-h']);
  });

  it('is the value of a flag, by what help calls it', () => {
    expect(completion('-n', '')).toMatchObject(named('namespace'));
    expect(completion('scan', '--namespace', 'j')).toMatchObject(named('namespace'));
    expect(completion('scan', '--namespace=j')).toMatchObject(named('namespace', '--namespace='));
    expect(completion('--kubeconfig', '')).toMatchObject(named('file'));
    expect(completion('explain', '--context', '')).toMatchObject(named('context'));
  });

  it('is an argument: one of its choices, a file, or a name', () => {
    expect(words('shells', '')).toEqual(['bash', 'fish']);
    expect(words('shells', 'bash', '')).toEqual([]);
    expect(completion('check', '')).toMatchObject(named('file'));
    expect(completion('explain', 'a', '-n', 'b', '')).toMatchObject(named('pods'));
  });

  it('is nothing after an unknown flag with a value', () => {
    expect(words('--nosuch=')).toEqual([]);
  });
});

it('the flags before are known, with and without an equals sign', () => {
  const expected = { namespace: 'jobs', kubeconfig: '/k' };
  expect(complete(program(), ['-n', 'jobs', '--kubeconfig=/k', '']).flags).toEqual(expected);
});
