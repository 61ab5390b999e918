import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addShardFlags } from '../../../../src/cli/flags/shard.ts';
import { parseArguments } from '../../../../src/cli/program.ts';
import { chooseShard } from '../../../../src/cli/sweep/shard.ts';
import { UsageError } from '../../../../src/util/usage-error.ts';

function choose(argv: readonly string[], env: Record<string, string> = {}) {
  return chooseShard(
    addShardFlags(new Command())
      .parse([...argv], { from: 'user' })
      .opts(),
    env,
  );
}

describe('the shard', () => {
  it('is undefined by default, even in an Indexed Job', () => {
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
    ['there is no completion index', {}, /Indexed Job; elsewhere, use --shard i\/10$/],
    ['the Job has more completions', { JOB_COMPLETION_INDEX: '10' }, /the parts are 0 to 9/],
    ['the index is not a number', { JOB_COMPLETION_INDEX: '' }, /the parts are 0 to 9/],
  ])('is an error if %s, and the message says what to do', (_why, env, says) => {
    expect(() => choose(['--shards', '10'], env)).toThrow(UsageError);
    expect(() => choose(['--shards', '10'], env)).toThrow(says);
  });

  it('cannot have both --shard and --shards', () => {
    expect(parseArguments(['--shard', '1/2', '--shards', '2']).kind).toBe('Wrong');
  });
});
