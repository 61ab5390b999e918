import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments.ts';
import { addShardFlags, chooseShard } from '../../../src/cli/shard.ts';
import { UsageError } from '../../../src/usage-error.ts';

function choose(argv: readonly string[], env: Record<string, string> = {}) {
  return chooseShard(
    addShardFlags(new Command())
      .parse([...argv], { from: 'user' })
      .opts(),
    env,
  );
}

describe('the shard', () => {
  it('is none unless asked for, even in an Indexed Job', () => {
    expect(choose([], { JOB_COMPLETION_INDEX: '1' })).toBeUndefined();
  });

  it.each([
    ['0/1', { index: 0, of: 1 }],
    ['3/10', { index: 3, of: 10 }],
    ['999/1000', { index: 999, of: 1000 }],
  ])('--shard %s', (value, shard) => {
    expect(choose(['--shard', value])).toEqual(shard);
  });

  it.each(['3/3', '1', '-1/3', '1/0', '0/0', '1/3/5', 'a/b', '0/1001', '1.0/3', ''])('is not %j', (value) => {
    const parsed = parseArguments(['--shard', value]);
    expect(parsed).toMatchObject({ kind: 'Wrong', message: expect.stringContaining('from 0 to n-1') });
  });

  it('comes from the completion index with --shards', () => {
    expect(choose(['--shards', '10'], { JOB_COMPLETION_INDEX: '9' })).toEqual({ index: 9, of: 10 });
  });

  it.each<readonly [why: string, env: Record<string, string>, says: RegExp]>([
    ['there is no completion index', {}, /Indexed Job; elsewhere name it with --shard i\/10$/],
    ['the Job has more completions', { JOB_COMPLETION_INDEX: '10' }, /none of 10 parts/],
    ['the index is no number', { JOB_COMPLETION_INDEX: '' }, /none of 10 parts/],
  ])('cannot be told when %s, and the message says what to do', (_why, env, says) => {
    expect(() => choose(['--shards', '10'], env)).toThrow(UsageError);
    expect(() => choose(['--shards', '10'], env)).toThrow(says);
  });

  it('is named or counted, not both', () => {
    expect(parseArguments(['--shard', '1/2', '--shards', '2']).kind).toBe('Wrong');
  });
});
